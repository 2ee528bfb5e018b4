import pico from "picocolors";
import { describe, expect, it } from "vitest";
import { withMark } from "../../values/marks.ts";
import { stringType } from "../../values/type.ts";
import { nullValue, stringValue } from "../../values/value.ts";
import { renderState } from "./state.ts";
import { object } from "./testing/planned.ts";

const colors = pico.createColors(false);

describe("renderState", () => {
  it("shows instances as blocks, and outputs", () => {
    const instances = [
      {
        address: 'conn3x_file.web__a["web1"]',
        type: "conn3x_file",
        name: "web__a",
        tainted: false,
        object: object({
          path: "/a",
          content: "x\n",
          owner: nullValue(stringType),
          token: withMark(stringValue("s3cret"), "sensitive"),
          ssh: object({ address: "10.0.0.1", user: nullValue(stringType) }),
        }),
      },
      {
        address: "conn3x_file.b",
        type: "conn3x_file",
        name: "b",
        tainted: true,
        object: object({ path: "/b" }),
      },
    ];
    const outputs = new Map([["url", stringValue("http://x")]]);
    expect(renderState(instances, outputs, colors)).toBe(
      `# conn3x_file.web__a["web1"]:
resource "conn3x_file" "web__a" {
    content = <<-EOT
        x
    EOT
    path    = "/a"
    token   = (sensitive value)

    ssh {
        address = "10.0.0.1"
    }
}

# conn3x_file.b: (tainted)
resource "conn3x_file" "b" {
    path = "/b"
}

Outputs:

url = "http://x"
`,
    );
  });

  it("says that there is nothing", () => {
    expect(renderState([], new Map(), colors)).toBe("The state is empty: nothing is managed yet.\n");
  });
});
