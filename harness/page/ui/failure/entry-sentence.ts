import type { ReplayEntry } from '../../../workbook/replay.ts';
import { failureTexts as texts } from './texts.ts';

/** Returns the time of an entry; for a call, its number. */
export function timeOf({ atMs }: ReplayEntry, index: number): string {
  return atMs === undefined ? texts.nth(index) : texts.ms(atMs);
}

/** Returns an entry in one line: `302010 ms · replicaset-controller · create pods/default/web-… → ok · revision 12`. */
export function sentenceOf(entry: ReplayEntry, index: number): string {
  const { actor, text, answer, untilMs } = entry;
  const act = answer === undefined ? text : `${text} → ${answer}`;
  const end = untilMs === undefined ? [] : [texts.until(texts.ms(untilMs))];
  return [timeOf(entry, index), actor, act, ...end].filter((part) => part !== '').join(' · ');
}
