import type { Message } from './message.ts';
import { areSiblings, isOwner, pluralOf } from './object-names.ts';

/** The kinds whose events lead to writes of another kind, although neither owns the other. */
const SELECTED: Readonly<Record<string, readonly string[]>> = {
  endpointslices: ['pods', 'services'],
};

/** The kinds whose events lead to a call that concerns no object, such as `iptables-restore`. */
const RULES: readonly string[] = ['services', 'endpointslices', 'networkpolicies', 'nodes'];

/**
 * Finds the event that a component acted on. A trace records no reasons, so the rule is: the last event about the
 * object, its owner or its dependents since the component's last act on it. An event that reports the component's own
 * write is not news.
 */
export class Reactions<Event extends Message> {
  /** The events of each actor that it has not acted on: the last event of each object, oldest first. */
  readonly #pending = new Map<string, Map<string, Event>>();
  readonly #written = new Map<string, Set<number>>();
  /** The last event before a component that acts on rules began to read them. */
  readonly #begun = new Map<string, Event>();

  wrote(actor: string, revision: number): void {
    const written = this.#written.get(actor) ?? new Set();
    this.#written.set(actor, written.add(revision));
  }

  receives(event: Event): void {
    const { actor, object = '', revision } = event;
    if (revision !== undefined && this.#written.get(actor)?.has(revision)) return;
    const pending = this.#pending.get(actor) ?? new Map<string, Event>();
    this.#pending.set(actor, pending);
    pending.delete(object);
    pending.set(object, event);
  }

  /** Notes that an actor reads its node's rules: later events do not explain its next write. */
  begins(actor: string): void {
    const event = this.#lastAboutRules(actor);
    if (event) this.#begun.set(actor, event);
  }

  /** Returns the event that this act answers, and forgets it. */
  causeOf(act: Message): Event | undefined {
    const { actor, object = '', verb } = act;
    const pending = this.#pending.get(actor);
    if (!pending) return undefined;
    if (act.kind === 'call' && act.to === act.from) return this.#causeOfRules(actor, pending);
    const cause = [...pending.values()].findLast((event) => leadsTo(event, object, verb));
    if (cause) pending.delete(cause.object ?? '');
    return cause;
  }

  /** Rules are written for all objects together, so this act answers every event up to its cause. */
  #causeOfRules(actor: string, pending: Map<string, Event>): Event | undefined {
    const cause = this.#begun.get(actor) ?? this.#lastAboutRules(actor);
    this.#begun.delete(actor);
    if (!cause) return undefined;
    for (const [key, event] of pending) if (event.atMs <= cause.atMs) pending.delete(key);
    return cause;
  }

  #lastAboutRules(actor: string): Event | undefined {
    const events = [...(this.#pending.get(actor)?.values() ?? [])];
    return events.findLast(({ object = '' }) => RULES.includes(pluralOf(object)));
  }
}

function leadsTo({ object: from = '', verb: event }: Message, to: string, verb: string): boolean {
  if (from === to || isOwner(from, to)) return true;
  // The number of dependents is part of a status; to change a specification, their owner is enough.
  if (isOwner(to, from)) return verb !== 'create' && verb !== 'update';
  if (SELECTED[pluralOf(to)]?.includes(pluralOf(from))) return true;
  const isReplaced = event !== 'ADDED' && (verb === 'create' || verb === 'delete');
  return isReplaced && areSiblings(from, to);
}
