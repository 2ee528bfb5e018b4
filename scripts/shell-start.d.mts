export const shellStart: string;
