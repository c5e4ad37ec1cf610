import type { Message } from './message.ts';
import { podIn } from './object-names.ts';
import { PLUGINS, PROGRAM } from './participants.ts';

/** Messages that share a step, in order of time. */
export interface Group {
  readonly messages: [Message, ...Message[]];
}

/**
 * Groups messages of the same moment. Two messages share a group if their participants do the same to the same object, or
 * to pods of one owner, with the same outcome, and if either
 *
 * - they concern different pods or come from different nodes, such as three pods that start; or
 * - the actor did nothing else to the object between them, such as a status that is written twice.
 *
 * Messages of users never share a group.
 *
 * @param windowMs longest time from the first message of a group to its last
 */
export function foldMessages(messages: readonly Message[], windowMs: number): readonly Group[] {
  const groups: Group[] = [];
  const open = new Map<string, Group[]>();
  /** The last group of each subject. */
  const last = new Map<string, Group>();
  for (const message of messages) {
    const similarity = similarityOf(message);
    const subject = subjectOf(message);
    const similar = (open.get(similarity) ?? []).filter(
      ({ messages: [first] }) => message.atMs - first.atMs <= windowMs,
    );
    open.set(similarity, similar);
    const known = similar.find(
      (group) =>
        !message.isUser &&
        (last.get(subject) === group || !group.messages.some((one) => subjectOf(one) === subject)),
    );
    const group = known ?? { messages: [message] satisfies [Message] };
    last.set(subject, group);
    if (known) known.messages.push(message);
    else {
      groups.push(group);
      similar.push(group);
    }
  }
  return groups;
}

/** Equal for messages that can share a group. */
function similarityOf({ kind, from, to, verb, object, target, result, failure }: Message): string {
  const isPod = podIn(object) !== undefined;
  // Addresses and plugins differ between the pods of one step.
  const what = to === PROGRAM || to === PLUGINS ? '' : target;
  // The rows of pods distinguish the steps of a start; the status of a workload only counts them.
  const row = verb !== 'bind' && isPod ? result : '';
  const whole = object === undefined || !isPod ? object : object.slice(0, object.lastIndexOf('-'));
  return [kind, from, to, verb, whole, what, row, failure].join('\n');
}

/** The actor and its object. Events differ from acts. */
function subjectOf({ actor, object = '', kind }: Message): string {
  return `${actor} ${object} ${kind === 'event'}`;
}
