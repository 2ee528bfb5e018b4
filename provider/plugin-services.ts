/**
 * @module The services that go-plugin's client expects of every plugin, beside the provider itself. What they could be
 * used for is not used by OpenTofu: callbacks through the broker, and output copied over a stream.
 */
import type { Server, ServerDuplexStream, ServerWritableStream, sendUnaryData } from "@grpc/grpc-js";
import { status } from "@grpc/grpc-js";
import { method } from "./grpc-method.ts";
import { enumeration, field, message, string } from "./wire/protobuf.ts";

const empty = Buffer.alloc(0);

const healthRequest = message({ service: field(1, string) });
const healthResponse = message({ status: field(1, enumeration) });
const serving = healthResponse.encode({ status: 1 });

/** Names that the client may ask the health of: the whole server, and the name that go-plugin uses. */
const healthyServices = new Set(["", "plugin"]);

export interface PluginServices {
  /** Ends the streams that are held open, so that the connection can close. */
  endStreams(): void;
}

/** @param shutdown called after the client asked for it and was answered */
export function addPluginServices(server: Server, shutdown: () => void): PluginServices {
  const held = new Set<{ end(): void }>();
  const hold = (stream: ServerDuplexStream<Buffer, Buffer> | ServerWritableStream<Buffer, Buffer>): void => {
    held.add(stream);
    stream.on("cancelled", () => held.delete(stream));
    stream.on("error", () => held.delete(stream));
  };

  server.addService(
    { Shutdown: method("plugin.GRPCController", "Shutdown") },
    {
      Shutdown: (_: unknown, reply: sendUnaryData<Buffer>) => {
        reply(null, empty);
        shutdown();
      },
    },
  );
  server.addService(
    { StartStream: method("plugin.GRPCBroker", "StartStream", { request: true, response: true }) },
    {
      StartStream: (stream: ServerDuplexStream<Buffer, Buffer>) => {
        hold(stream);
        stream.resume();
        stream.on("end", () => stream.end());
      },
    },
  );
  server.addService(
    { StreamStdio: method("plugin.GRPCStdio", "StreamStdio", { response: true }) },
    { StreamStdio: hold },
  );
  server.addService(
    {
      Check: method("grpc.health.v1.Health", "Check"),
      Watch: method("grpc.health.v1.Health", "Watch", { response: true }),
    },
    {
      Check: ({ request }: { request: Buffer }, reply: sendUnaryData<Buffer>) => {
        const { service } = healthRequest.decode(request);
        if (healthyServices.has(service)) reply(null, serving);
        else reply({ code: status.NOT_FOUND, details: `there is no service "${service}"` });
      },
      Watch: (stream: ServerWritableStream<Buffer, Buffer>) => {
        stream.write(serving);
        hold(stream);
      },
    },
  );
  return {
    endStreams: () => {
      for (const stream of held) stream.end();
    },
  };
}
