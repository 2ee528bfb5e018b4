/** What is configured says how a host is logged in to that something is stored about. */
import { describe, expect, test } from "vitest";
import { compileFiles } from "../../compiler/testing/compile-files.ts";
import { providerSchema } from "../../core/create-provider.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import { kinds } from "../../resources/index.ts";
import { schemaType } from "../../schema/schema.ts";
import { at } from "../../values/path.ts";
import { fromPlain, type PlainObject } from "../../values/plain.ts";
import { getPath } from "../../values/walk.ts";
import { knownConfiguration } from "../plan/known-configuration.ts";
import type { StoredForRead } from "./stored-for-reads.ts";
import { readLogins } from "./stored-logins.ts";

const circuit = `
circuit "web" {
  hosts = {
    web1 = { address = "10.0.1.5", host_key = "ssh-ed25519 new" }
    web2 = { address = terraform_data.machine.output }
    new3 = "10.0.1.7"
  }
  ssh {
    user = "deploy"
  }
  moved {
    from = host.web3
    to   = host.new3
  }
  step "note" {
    file {
      path = "/srv/note"
    }
  }
  handler "again" {
    command {
      run = "true"
    }
  }
}
resource "conn3x_file" "counted" {
  path  = "/srv/counted"
  ssh {
    address = "10.0.1.9"
    user    = "new"
  }
}
`;
const { loaded } = knownConfiguration(
  compileFiles([new SourceFile("main.circuit.hcl", circuit)], { kinds, directory: "." }),
  [],
);

/** How it is logged in, to what is stored with these settings; undefined: as that says. */
function loginTo(place: string, ssh: PlainObject, ends = false) {
  const [, resource, , key] = /^(.*?)(\["?(.*?)"?\])?$/.exec(place)!;
  const [type, name] = resource!.split(".") as [string, string];
  const stored: StoredForRead = {
    provider: "",
    resource: resource!,
    type,
    name,
    key: key === undefined ? undefined : /^\d+$/.test(key) ? Number(key) : key,
    schemaVersion: 0,
    attributes: "{}",
    sensitivePaths: "[]",
    private: new Uint8Array(),
  };
  const object = fromPlain({ ssh: { bastion: [], ...ssh } }, schemaType(providerSchema.resources.get(type)!));
  const found = readLogins(loaded, ends)([stored])(stored, object);
  if (found === undefined) return undefined;
  const setting = (name: string) => getPath(found.login, at(name))?.data ?? undefined;
  const reported = found.moved === undefined ? {} : { moved: found.moved.summary };
  return { address: setting("address"), user: setting("user"), host_key: setting("host_key"), ...reported };
}

describe("a host is logged in to", () => {
  const web1 = { address: "10.0.1.5", user: "deploy", host_key: "ssh-ed25519 new" };

  test("as it is stored where that is what is configured", () => {
    expect(loginTo('conn3x_file.web__note["web1"]', web1)).toBeUndefined();
  });

  test.each([
    ["key", { ...web1, host_key: "ssh-ed25519 old" }],
    ["user", { ...web1, user: "root" }],
    ["port", { ...web1, host_key: "ssh-ed25519 old", port: 22 }],
  ])("as it is configured where the stored %s is another", (_, stored) => {
    expect(loginTo('conn3x_file.web__note["web1"]', stored)).toEqual(web1);
  });

  test("as its circuit's other instances where the step is not configured any more", () => {
    const stored = { ...web1, host_key: "ssh-ed25519 old" };
    expect(loginTo('conn3x_file.web__gone["web1"]', stored)).toEqual(web1);
  });

  test("as it is stored where the host is not configured any more, or not known yet", () => {
    const stored = { ...web1, address: "10.0.9.9", host_key: "ssh-ed25519 old" };
    for (const place of ['web__note["web9"]', 'web__note["web2"]', 'db__note["web1"]', "elsewhere"])
      expect(loginTo(`conn3x_file.${place}`, stored)).toBeUndefined();
  });

  test("as the host at its address, which has another name now", () => {
    const stored = { ...web1, host_key: "ssh-ed25519 old" };
    expect(loginTo('conn3x_file.web__note["web9"]', stored)).toEqual(web1);
    expect(loginTo('conn3x_file.db__note["web1"]', stored)).toBeUndefined();
  });

  test("at the address that it has now, which is told of", () => {
    const stored = { ...web1, address: "10.0.1.4" };
    const moved = "Address of a host was edited";
    expect(loginTo('conn3x_file.web__note["web1"]', stored)).toEqual({ ...web1, moved });
    // Handlers have nothing on the host.
    expect(loginTo('conn3x_command_action.web__again["web1"]', stored)).toEqual(web1);
    // What is to end is where it was made.
    expect(loginTo('conn3x_file.web__note["web1"]', stored, true)).toBeUndefined();
  });

  test("by its new name where that is a moved one, and where a count was taken away", () => {
    const stored = { address: "10.0.1.7", user: "old" };
    expect(loginTo('conn3x_file.web__note["web3"]', stored)).toMatchObject({ user: "deploy" });
    const counted = { address: "10.0.1.9", user: "old" };
    expect(loginTo("conn3x_file.counted[0]", counted)).toMatchObject({ user: "new" });
  });
});
