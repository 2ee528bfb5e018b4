/**
 * @module Records a provider's answers while a plan is made, and replays them when it is applied.
 */
import { createHash } from "node:crypto";
import type { PlanRequest, PlanResponse, Provider, ReadRequest, ReadResponse } from "../../core/index.ts";
import { withoutWriteOnly } from "../../schema/write-only.ts";
import { decisionText, textDecision, textValue, valueText } from "./decision-text.ts";
import { stale } from "./stale.ts";

/** One answer as it is in a file. Values are base64 of MessagePack that names their types; bytes are base64. */
export interface RecordedAnswer {
  readonly call: "read" | "plan" | "import";
  /** SHA-256 of the request. */
  readonly request: string;
  readonly answer: unknown;
}

type Call =
  | { readonly call: "read"; readonly request: ReadRequest; readonly answer: ReadResponse }
  | { readonly call: "plan"; readonly request: PlanRequest; readonly answer: PlanResponse }
  | { readonly call: "import"; readonly request: ImportRequest; readonly answer: ImportResponse };

interface ImportRequest {
  readonly type: string;
  readonly id: string;
}

type ImportResponse = Awaited<ReturnType<Provider["importResource"]>>;

export interface RecordingProvider {
  readonly provider: Provider;
  answers(): readonly RecordedAnswer[];
}

export function recording(provider: Provider): RecordingProvider {
  const calls: Call[] = [];
  return {
    provider: {
      ...provider,
      async readResource(request) {
        const answer = await provider.readResource(request);
        calls.push({ call: "read", request, answer });
        return answer;
      },
      async planResource(request) {
        const answer = await provider.planResource(request);
        calls.push({ call: "plan", request, answer });
        return answer;
      },
      async importResource(type, id, login) {
        const answer = await provider.importResource(type, id, login);
        calls.push({ call: "import", request: { type, id }, answer });
        return answer;
      },
    },
    answers: () => calls.map((one) => recorded(provider, one)),
  };
}

function recorded(provider: Provider, one: Call): RecordedAnswer {
  switch (one.call) {
    case "read":
      return { call: "read", request: readKey(one.request), answer: readText(one.answer) };
    case "plan":
      return { call: "plan", request: planKey(provider, one.request), answer: planText(one.answer) };
    case "import":
      return { call: "import", request: importKey(one.request), answer: importText(one.answer) };
  }
}

/** The provider with recorded answers in place of reads, plans and imports. What was not recorded is a sign of change. */
export function replaying(provider: Provider, answers: readonly RecordedAnswer[]): Provider {
  const known = new Map(answers.map(({ call, request, answer }) => [`${call} ${request}`, answer]));
  return {
    ...provider,
    async readResource(request) {
      const answer = known.get(`read ${readKey(request)}`);
      if (answer !== undefined) return readAnswer(answer as ReadText);
      return { state: request.current, private: request.private, diagnostics: [changedInput] };
    },
    async planResource(request) {
      const answer = known.get(`plan ${planKey(provider, request)}`);
      if (answer !== undefined) return planAnswer(answer as PlanText);
      return {
        planned: request.prior,
        private: request.priorPrivate,
        requiresReplace: [],
        diagnostics: [changedInput],
        decision: { action: "none", reasons: [], edits: [], drift: [], requiresReplace: [] },
      };
    },
    async importResource(type, id) {
      const answer = known.get(`import ${importKey({ type, id })}`);
      if (answer !== undefined) return importAnswer(answer as ImportText);
      return { imported: [], diagnostics: [changedInput] };
    },
  };
}

const changedInput = stale(
  "Something that the configuration reads, a file for example, has been changed since it was made.",
);

const readKey = ({ type, current, private: secret, login }: ReadRequest): string =>
  digest([type, valueText(current), bytesText(secret), login === undefined ? null : valueText(login)]);

/** What is write-only is no part of it: no file is to have as much as its hash. */
const planKey = (
  { schema }: Provider,
  { type, prior, config, priorPrivate, unsettled = false }: PlanRequest,
): string =>
  digest([
    type,
    valueText(prior),
    valueText(withoutWriteOnly(schema.resources.get(type)!, config)),
    bytesText(priorPrivate),
    unsettled ? "unsettled" : null,
  ]);

const importKey = ({ type, id }: ImportRequest): string => digest([type, id]);

const importText = ({ imported, diagnostics }: ImportResponse) => ({
  imported: imported.map(({ type, state, private: secret }) => ({
    type,
    state: valueText(state),
    private: bytesText(secret),
  })),
  diagnostics,
});
type ImportText = ReturnType<typeof importText>;

const importAnswer = ({ imported, diagnostics }: ImportText): ImportResponse => ({
  imported: imported.map(({ type, state, private: secret }) => ({
    type,
    state: textValue(state),
    private: textBytes(secret),
  })),
  diagnostics,
});

const digest = (parts: readonly (string | null)[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64");

const bytesText = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const textBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "base64"));

const readText = ({ state, private: secret, ...rest }: ReadResponse) => ({
  ...rest,
  state: valueText(state),
  private: bytesText(secret),
});
type ReadText = ReturnType<typeof readText>;

const readAnswer = ({ state, private: secret, ...rest }: ReadText): ReadResponse => ({
  ...rest,
  state: textValue(state),
  private: textBytes(secret),
});

const planText = ({ planned, private: secret, decision, ...rest }: PlanResponse) => ({
  ...rest,
  planned: valueText(planned),
  private: bytesText(secret),
  decision: decisionText(decision),
});
type PlanText = ReturnType<typeof planText>;

const planAnswer = ({ planned, private: secret, decision, ...rest }: PlanText): PlanResponse => ({
  ...rest,
  planned: textValue(planned),
  private: textBytes(secret),
  decision: textDecision(decision),
});
