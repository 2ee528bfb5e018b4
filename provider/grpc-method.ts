/**
 * @module Methods of gRPC services, with messages as bytes: they are read and written where errors can be answered.
 */
import type { MethodDefinition } from "@grpc/grpc-js";

const asItIs = (bytes: Buffer): Buffer => bytes;

/** @param streams which side sends any number of messages instead of one */
export function method(
  service: string,
  name: string,
  streams: { readonly request?: boolean; readonly response?: boolean } = {},
): MethodDefinition<Buffer, Buffer> {
  return {
    path: `/${service}/${name}`,
    requestStream: streams.request ?? false,
    responseStream: streams.response ?? false,
    requestSerialize: asItIs,
    requestDeserialize: asItIs,
    responseSerialize: asItIs,
    responseDeserialize: asItIs,
  };
}
