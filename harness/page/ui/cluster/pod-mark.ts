import type { PodView } from '../../protocol/view.ts';
import { texts } from '../texts.ts';

const words = texts.pod;

/** The shape of a pod's mark. The shape alone says the status; colour repeats it. */
export type MarkShape = 'disc' | 'half' | 'ring' | 'dashed' | 'cross' | 'check' | 'minus' | 'question';

/** The colour of a mark, a custom property of the style sheet. */
export type Tone = 'good' | 'warn' | 'bad' | 'soft';

/** A pod's status as a mark and words. */
export interface PodMark {
  readonly shape: MarkShape;
  readonly tone: Tone;
  /** The status in a row: `Running`, `not ready`, `CrashLoopBackOff`. */
  readonly word: string;
}

/** Returns the mark of a pod. @param isLost whether its node does not report, so that its status is an old one */
export function markOf(pod: PodView, isLost = false): PodMark {
  const word = pod.status;
  if (pod.isTerminating) return { shape: 'minus', tone: 'soft', word };
  if (pod.phase === 'Succeeded') return { shape: 'check', tone: 'soft', word };
  if (pod.phase === 'Failed' || /Err|Error|BackOff|OOM|Invalid|CannotRun|DeadlineExceeded/.test(pod.status))
    return { shape: 'cross', tone: 'bad', word };
  if (isLost && pod.phase === 'Running') return { shape: 'question', tone: 'warn', word: words.lost };
  if (pod.phase === 'Unknown') return { shape: 'question', tone: 'warn', word };
  if (pod.phase === 'Running' && pod.isReady) return { shape: 'disc', tone: 'good', word };
  if (pod.phase === 'Running')
    return { shape: 'half', tone: 'warn', word: word === 'Running' ? words.notReady : word };
  return pod.node === undefined
    ? { shape: 'dashed', tone: 'warn', word }
    : { shape: 'ring', tone: 'soft', word };
}

/** Describes a pod for a screen reader and a tooltip. */
export function labelOf(pod: PodView, isLost = false): string {
  const facts = [
    words.pod(`${pod.namespace}/${pod.name}`),
    pod.status,
    pod.isReady ? words.ready : words.notReady,
    pod.node === undefined ? words.noNode : words.onNode(pod.node),
    isLost && words.lostLong,
    pod.ip && words.address(pod.ip),
    pod.restarts > 0 && words.restarts(pod.restarts),
    pod.owner && words.ofOwner(pod.owner),
  ];
  return facts.filter(Boolean).join(', ');
}

/**
 * Splits the name of a pod into a head, which may be cut, and the tail that tells it from its siblings:
 * `web-7d4b9c5f8` and `-x2x9k`.
 */
export function splitName(name: string): { readonly head: string; readonly tail: string } {
  const at = name.lastIndexOf('-');
  return at > 0 && name.length - at <= 7
    ? { head: name.slice(0, at), tail: name.slice(at) }
    : { head: name, tail: '' };
}

/** Returns the number of pods by the word of their mark, most frequent first: `11 Running, 1 not ready`. */
export function countWords(pods: readonly PodView[], isLost = false): string {
  const counts = new Map<string, number>();
  for (const pod of pods) {
    const { word } = markOf(pod, isLost);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([word, count]) => `${count} ${word}`)
    .join(', ');
}
