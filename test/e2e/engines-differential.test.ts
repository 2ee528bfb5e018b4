/**
 * The engines against each other on real hosts: see `engines-alike.ts`.
 */
import { describeEngines } from "./engines-alike.ts";

describeEngines("engines", "each");
