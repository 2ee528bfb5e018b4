/**
 * @module The floor that the product is measured against: a bare `ssh2` program that logs in to each host and runs one
 * script with the same checks, one process for each check, as a careful person's script would.
 */
import { readFileSync } from "node:fs";
import { Client } from "ssh2";

export interface FloorHost {
  readonly address: string;
  readonly user: string;
  readonly keyFile: string;
}

/**
 * @param paths absolute paths on the host; for each, its metadata is looked at, and its hash where it is a file
 * @returns what each host printed
 */
export function floor(hosts: readonly FloorHost[], paths: readonly string[]): Promise<readonly string[]> {
  const script = paths
    .map((path) => `stat -c '%a %U %G' -- '${path}'; if [ -f '${path}' ]; then sha256sum -- '${path}'; fi`)
    .join("\n");
  return Promise.all(hosts.map((host) => runOn(host, script)));
}

function runOn({ address, user, keyFile }: FloorHost, script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const client = new Client();
    client.on("error", reject);
    client.on("ready", () => {
      client.exec("exec sudo -n -H /bin/sh", (error, channel) => {
        if (error !== undefined) return reject(error);
        let output = "";
        channel.on("data", (chunk: Buffer) => {
          output += chunk;
        });
        channel.on("close", () => {
          client.end();
          resolve(output);
        });
        channel.end(script);
      });
    });
    client.connect({ host: address, username: user, privateKey: readFileSync(keyFile) });
  });
}
