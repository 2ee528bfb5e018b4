/**
 * The engines against each other on real hosts, with the story told in modules: see `engines-alike.ts`.
 */
import { describeEngines } from "./engines-alike.ts";
import { inModules } from "./engines-story.ts";

describeEngines("engines with modules", "in turns", inModules);
