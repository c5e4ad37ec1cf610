/** `#laws/32-score`: the entry point for the tests. */

export { coreLaws, optionalLaws } from './laws/index.ts';
export {
  type AskOptions,
  askScorePlugin,
  beforeNormalising,
  scoresBy,
} from './simulation/ask-score-plugin.ts';
