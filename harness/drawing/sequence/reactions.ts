import type { TraceEntry } from '../../sim/index.ts';
import type { Message } from './message.ts';
import { areSiblings, isOwner, pluralOf } from './object-names.ts';

/** The kinds whose events lead to writes of another kind, although neither owns the other. */
const SELECTED: Readonly<Record<string, readonly string[]>> = {
  endpointslices: ['pods', 'services'],
};

/** The kinds whose events lead to a call that concerns no object, such as `iptables-restore`. */
const RULES: readonly string[] = ['services', 'endpointslices', 'networkpolicies', 'nodes'];

/** A watch event that an actor received. */
export interface Received extends Pick<TraceEntry, 'actor' | 'verb' | 'atMs' | 'revision'> {
  /** The object, with its generated name. */
  readonly object: string | undefined;
  /** The position of its entry in the trace. */
  readonly order: number;
}

/**
 * Finds the event that a component acted on. A trace records no reasons, so the rule is: the last event about the
 * object, its owner or its dependents since the component's last act on it. An event that reports the component's own
 * write is not news.
 */
export class Reactions {
  /** The events of each actor that it has not acted on: the last event of each object, oldest first. */
  readonly #pending = new Map<string, Map<string, Received>>();
  readonly #written = new Map<string, Set<number>>();
  /** The last event before a component that acts on rules began to read them. */
  readonly #begun = new Map<string, Received>();

  wrote(actor: string, revision: number): void {
    const written = this.#written.get(actor) ?? new Set();
    this.#written.set(actor, written.add(revision));
  }

  receives(event: Received): void {
    const { actor, object = '', revision } = event;
    if (revision !== undefined && this.#written.get(actor)?.has(revision)) return;
    const pending = this.#pending.get(actor) ?? new Map<string, Received>();
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
  causeOf(act: Message): Received | undefined {
    const { actor, object = '', verb } = act;
    const pending = this.#pending.get(actor);
    if (!pending) return undefined;
    if (act.kind === 'call' && act.to === act.from) return this.#causeOfRules(actor, pending);
    const cause = [...pending.values()].findLast((event) => leadsTo(event, object, verb));
    if (cause) pending.delete(cause.object ?? '');
    return cause;
  }

  /** Rules are written for all objects together, so this act answers every event up to its cause. */
  #causeOfRules(actor: string, pending: Map<string, Received>): Received | undefined {
    const cause = this.#begun.get(actor) ?? this.#lastAboutRules(actor);
    this.#begun.delete(actor);
    if (!cause) return undefined;
    for (const [key, event] of pending) if (event.atMs <= cause.atMs) pending.delete(key);
    return cause;
  }

  #lastAboutRules(actor: string): Received | undefined {
    const events = [...(this.#pending.get(actor)?.values() ?? [])];
    return events.findLast(({ object = '' }) => RULES.includes(pluralOf(object)));
  }
}

function leadsTo({ object: from = '', verb: event }: Received, to: string, verb: string): boolean {
  if (from === to || isOwner(from, to)) return true;
  // The number of dependents is part of a status; to change a specification, their owner is enough.
  if (isOwner(to, from)) return verb !== 'create' && verb !== 'update';
  if (SELECTED[pluralOf(to)]?.includes(pluralOf(from))) return true;
  const isReplaced = event !== 'ADDED' && (verb === 'create' || verb === 'delete');
  return isReplaced && areSiblings(from, to);
}
