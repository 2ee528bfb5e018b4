/**
 * Units of every sort that systemd has, on a real host: what a plan says of them before anything is touched, and that what is
 * done to one by another of its names is done to it.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { describeLab } from "../lab/for-tests.ts";
import { kindStage } from "./kind-stage.ts";

const sleeps = "ExecStart=/bin/sleep 1000";
const wanted = "[Install]\nWantedBy=multi-user.target";

/** By path. What they are is in systemd.unit(5). */
const files: Readonly<Record<string, string>> = {
  "/etc/systemd/system/own.service": `[Service]\n${sleeps}\nExecReload=/bin/true\n${wanted}`,
  "/etc/systemd/system/deaf.service": `[Service]\n${sleeps}\n${wanted}`,
  "/etc/systemd/system/static.service": `[Service]\n${sleeps}`,
  "/etc/systemd/system/names.service": `[Service]\n${sleeps}\n[Install]\nAlso=own.service\n Also = own.timer`,
  "/etc/systemd/system/tpl@.service": `[Service]\n${sleeps}\n${wanted}`,
  "/etc/systemd/system/own.timer": "[Timer]\nOnCalendar=2099-01-01\n[Install]\nWantedBy=timers.target",
  "/etc/systemd/system/pipe.socket": "[Socket]\nListenFIFO=/run/pipe\n[Install]\nWantedBy=sockets.target",
  "/etc/systemd/system/pipe.service": `[Service]\n${sleeps}`,
  "/usr/lib/systemd/system/vendor.service": `[Service]\n${sleeps}\n${wanted}`,
  "/opt/linked.service": `[Service]\n${sleeps}\n${wanted}`,
};

describeLab("units", () => {
  const { host, made, planProblems, driver, ssh } = kindStage();
  const must = (script: string) => host().must(script);
  beforeAll(async () => {
    const written = Object.entries(files).map(([path, text]) => `cat >${path} <<'END'\n${text}\nEND`);
    await must(
      `${written.join("\n")}
ln -s own.service /etc/systemd/system/other.service
ln -s vendor.service /usr/lib/systemd/system/its-name.service
systemctl link /opt/linked.service
mkdir -p /srv/gen; echo 'tmpfs /srv/gen tmpfs noauto 0 0' >>/etc/fstab
systemctl daemon-reload
systemctl start own deaf tpl@a own.timer pipe.socket srv-gen.mount linked
systemd-run --unit=passing sleep 1000`,
    );
    // What the table is about is so: systemd says it.
    expect(
      await must(
        "systemctl show -p UnitFileState --value names static srv-gen.mount passing linked | grep .",
      ),
    ).toBe("indirect\nstatic\ngenerated\ntransient\nlinked\n");
  });

  test.each([
    ["own", undefined],
    ["other", undefined],
    ["own.timer", undefined],
    ["pipe.socket", undefined],
    ["tpl@a", undefined],
    ["linked", undefined],
    ["names", "only names what is enabled with it; enable own.service and own.timer instead"],
    ["static", "no [Install] section"],
    ["pipe", "no [Install] section"],
    ["srv-gen.mount", "a generator made it"],
    ["passing", "made by a running program"],
    ["nosuch", "There is no service nosuch"],
  ])("whether %s can be enabled is known to a plan", async (name, why) => {
    const said = await planProblems("service", { name, enabled: true });
    expect(said.map(({ severity }) => severity)).toEqual(why === undefined ? [] : ["error"]);
    if (why !== undefined) expect(said[0]!.detail).toContain(why);
  });

  test.each([
    ["own", undefined],
    ["other", undefined],
    // Neither runs: nothing is done then.
    ["tpl@b", undefined],
    ["pipe", undefined],
    ["deaf", "warning"],
    ["tpl@a", "warning"],
    ["own.timer", "warning"],
    ["pipe.socket", "warning"],
    ["linked", "warning"],
    ["passing", "warning"],
    // A mount is reloaded by being mounted again.
    ["srv-gen.mount", undefined],
    ["nosuch", "error"],
  ])("whether %s can be reloaded is known to a plan", async (name, severity) => {
    const action = { name, action: "reload", triggers: ["x"] };
    const said = await planProblems("service_action", action);
    expect(said.map((one) => one.severity)).toEqual(severity === undefined ? [] : [severity]);
    if (severity === "warning")
      expect(said[0]!.detail).toContain(`${name} runs on the host and knows no reload`);
    // And so it is: systemd's word for it.
    const { status } = await host().exec(`systemctl is-active -q '${name}' && systemctl reload '${name}'`);
    if (severity === "warning") expect(status).not.toBe(0);
    else if (!/^tpl|^pipe|^no/.test(name)) expect(status).toBe(0);
    expect(await planProblems("service_action", { ...action, action: "restart" })).toEqual([]);
  });

  test("by another name a unit is masked, unmasked, enabled, disabled as itself", async () => {
    const look = "systemctl show -p UnitFileState --value vendor";
    for (const [settings, state] of [
      [{ enabled: true }, "enabled"],
      [{ enabled: false }, "disabled"],
      [{ masked: true }, "masked"],
      [{ masked: false }, "disabled"],
    ] as const) {
      await made("service", { name: "its-name", ...settings });
      expect(await must(look)).toBe(`${state}\n`);
    }
  });

  describe("what still runs without its file", () => {
    const units = (said: readonly { readonly detail: string }[]) =>
      said.map(({ detail }) => detail.split(" runs.")[0]);
    /** What the plan of a removal says. */
    const removal = async (kind: string, settings: { readonly path: string }) => {
      const stored = await made(kind, { ...settings, on_remove: "delete" });
      return (await driver(kind).plan(stored, undefined)).diagnostics;
    };
    const file = (path: string) => removal("file", { path, content: `${files[path]}\n` } as never);

    test.each([
      ["/etc/systemd/system/deaf.service", ["deaf.service"]],
      ["/etc/systemd/system/tpl@.service", ["tpl@a.service"]],
      ["/etc/systemd/system/own.timer", ["own.timer"]],
      ["/etc/systemd/system/pipe.socket", ["pipe.socket"]],
      ["/etc/systemd/system/pipe.service", []],
      ["/etc/systemd/system/static.service", []],
      ["/opt/linked.service", []],
    ])("%s", async (path, running) => {
      expect(units(await file(path))).toEqual(running);
    });

    test("the link by which a unit is found, another name of one, a drop-in, one that the system has as well", async () => {
      const link = (path: string, target: string) => removal("link", { path, target } as never);
      expect(units(await link("/etc/systemd/system/linked.service", "/opt/linked.service"))).toEqual([
        "linked.service",
      ]);
      expect(await link("/etc/systemd/system/other.service", "own.service")).toEqual([]);
      const dropIn = "/etc/systemd/system/deaf.service.d/x.conf";
      expect(await removal("file", { path: dropIn, content: "[Unit]\n" } as never)).toEqual([]);
      await must("cp /lib/systemd/system/cron.service /etc/systemd/system/; systemctl daemon-reload");
      const cron = {
        path: "/etc/systemd/system/cron.service",
        content: await must("cat /lib/systemd/system/cron.service"),
      };
      expect(await removal("file", cron as never)).toEqual([]);
    });

    test("nothing is said of what a step of the run stops", async () => {
      const path = "/etc/systemd/system/deaf.service";
      const stored = await made("file", { path, content: `${files[path]}\n`, on_remove: "delete" });
      const [, said] = await Promise.all([
        driver("service").plan(undefined, { ssh: ssh(), name: "deaf", running: false }),
        driver("file").plan(stored, undefined),
      ]);
      expect(said.diagnostics).toEqual([]);
    });
  });
});
