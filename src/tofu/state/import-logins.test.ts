import { expect, test } from "vitest";
import { compileFiles } from "../../compiler/testing/compile-files.ts";
import { createProvider } from "../../core/create-provider.ts";
import { SourceFile } from "../../diagnostics/source.ts";
import { importTargets } from "../../engine/decide/stored/imports.ts";
import { Problems } from "../../engine/evaluate/problems.ts";
import { kinds } from "../../resources/index.ts";
import { createSessionPool } from "../../ssh/session-pool.ts";
import { at } from "../../values/path.ts";
import { objectValue, stringValue, type Value } from "../../values/value.ts";
import { getPath } from "../../values/walk.ts";
import { knownConfiguration } from "../plan/known-configuration.ts";
import { importSource, withImportLogins } from "./import-logins.ts";

const text = `
locals {
  first = "10.0.1.5"
}
circuit "web" {
  hosts = { web1 = local.first, web2 = "10.0.1.6" }
  ssh {
    user = "deploy"
  }
  step "note" {
    file {
      path = "/srv/note"
    }
  }
  step "other" {
    ssh {
      user = "other"
    }
    file {
      path = "/srv/other"
    }
  }
}
import {
  to = conn3x_file.web__other["web1"]
  id = "ssh://10.0.1.5/srv/other"
}
import {
  to = conn3x_file.web__note["web1"]
  id = "web/web2:/srv/note"
}
`;

const configuration = compileFiles([new SourceFile("main.circuit.hcl", text)], { kinds, directory: "." });

/** The logins that the provider was given, and what it was told. */
async function imported(...ids: readonly string[]) {
  const { loaded } = knownConfiguration(configuration, []);
  const logins: (Value | undefined)[] = [];
  const provider = withImportLogins(
    {
      ...createProvider({ sessions: createSessionPool() }),
      importResource: async (type, id, login) => {
        logins.push(login);
        const address = id.includes("10.0.1.5") ? "10.0.1.5" : "10.0.1.6";
        const state = objectValue({ ssh: objectValue({ address: stringValue(address) }) });
        return { imported: [{ type, state, private: new Uint8Array() }], diagnostics: [] };
      },
    },
    () => importSource(importTargets(loaded, new Problems(), "passed"), loaded),
  );
  const answers = [];
  for (const id of ids) answers.push(await provider.importResource("conn3x_file", id));
  const users = logins.map((login) => login && getPath(login, at("user"))?.data);
  const addresses = logins.map((login) => login && getPath(login, at("address"))?.data);
  return { users, addresses, said: answers.map(({ diagnostics }) => diagnostics) };
}

test("a block's id is imported with the login of its step", async () => {
  const { users, addresses, said } = await imported("ssh://10.0.1.5/srv/other");
  expect([users, addresses, said]).toEqual([["other"], ["10.0.1.5"], [[]]]);
});

test("an id that names a host is imported with its login; that it is another host is said", async () => {
  const { users, addresses, said } = await imported("web/web2:/srv/note");
  expect([users, addresses]).toEqual([["deploy"], ["10.0.1.6"]]);
  expect(said[0]).toMatchObject([{ severity: "warning", summary: "Imported from another host" }]);
});

test("what no block says is imported with what the id says alone", async () => {
  expect(
    await imported("ssh://10.0.1.5/srv/else", "web/web1:/srv/else", "web/web9:/x", "db/web1:/x"),
  ).toEqual({
    users: [undefined, "deploy", undefined, undefined],
    addresses: [undefined, "10.0.1.5", undefined, undefined],
    said: [[], [], [], []],
  });
});
