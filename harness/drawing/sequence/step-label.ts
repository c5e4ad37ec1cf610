import type { Participant, Step } from './diagram.ts';
import type { Message } from './message.ts';
import { english } from './words.ts';

/** Returns the target of messages that share a step: `pods/web-5d7-…` for several pods. */
export function labelOf(messages: readonly Message[], withNamespace: boolean): string {
  const [first] = messages;
  const isObject = first?.kind === 'request' || first?.kind === 'event';
  const names = messages.flatMap(({ object, target, kind }) => {
    if (kind === 'note') return [];
    if (!isObject && target !== undefined) return [target];
    return object === undefined ? [] : [shortName(object, withNamespace)];
  });
  return inShort([...new Set(names)]);
}

function shortName(object: string, withNamespace: boolean): string {
  const [plural, , name] = object.split('/');
  return name === undefined || withNamespace ? object : `${plural}/${name}`;
}

/** Names several targets by their common beginning, or by the first of them. */
function inShort(names: readonly string[]): string {
  const [first = '', ...others] = names;
  if (others.length === 0) return first;
  if (names.every((name) => name.length <= 10))
    return names.slice(0, 4).join(', ') + (names.length > 4 ? ', …' : '');
  let length = first.length;
  for (const name of others) while (!name.startsWith(first.slice(0, length))) length--;
  const end = Math.max(...['-', '.', '/'].map((mark) => first.lastIndexOf(mark, length - 1)));
  return end > 2 ? `${first.slice(0, end + 1)}…` : `${first}, …`;
}

/** Returns the words of an arrow: `create pods/web-5d7-… ×3`. */
export function actionOf({ verb, label, count }: Step): string {
  return [verb, label, count > 1 ? `×${count}` : ''].filter(Boolean).join(' ');
}

/** Returns the outcome of a step: `0/3 ready · revision 98`. Empty for a step without an outcome. */
export function outcomeOf({ revisions, result, failure, kind }: Step, words = english): string {
  if (failure !== undefined) return `✗ ${failure}`;
  const [first, last = first] = [revisions[0], revisions.at(-1)];
  const reached =
    first === undefined || last === undefined || kind === 'event' ? undefined : words.revisions(first, last);
  return [result, reached].filter(Boolean).join(' · ');
}

/** Returns the time of a step in virtual ms since `sinceMs`, or in seconds from ten seconds on: `102–145`, `52.6 s`. */
export function timeOf({ atMs, untilMs }: Pick<Step, 'atMs' | 'untilMs'>, sinceMs: number): string {
  const [first, last] = [atMs - sinceMs, untilMs - sinceMs];
  if (last >= 10_000) return `${(first / 1_000).toFixed(1)} s`;
  const [from, to] = [Math.round(first), Math.round(last)];
  return from === to ? `${from}` : `${from}–${to}`;
}

/** Returns the time of a step with its unit: `102–145 ms`. */
export function momentOf(step: Pick<Step, 'atMs' | 'untilMs'>, sinceMs: number): string {
  const time = timeOf(step, sinceMs);
  return time.endsWith('s') ? time : `${time} ms`;
}

/** Returns a step as a sentence. */
export function sentenceOf(step: Step, sinceMs: number, words = english): string {
  const { kind, from, to, lines } = step;
  const done = [actionOf(step), outcomeOf(step, words)].filter(Boolean).join(', ');
  return words.sentence({
    time: momentOf(step, sinceMs),
    from,
    ...(from !== to && { to }),
    text: kind === 'note' ? lines.join('; ') : done,
  });
}

/** Returns the place of a participant for a heading: `node-2`, `3 nodes`; empty for a process that runs once. */
export function placeOf({ nodes }: Participant, words = english): string {
  return nodes.length > 1 ? words.nodes(nodes.length) : (nodes[0] ?? '');
}
