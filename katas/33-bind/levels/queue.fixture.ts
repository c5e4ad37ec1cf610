import { type Assertion, expect } from 'vitest';
import type { scheduling } from '#given/33-bind';
import type { Pod } from '#harness';
import { soFar } from '#harness/testing';
import { SchedulingQueue } from '#kata/33-bind/bind';
import { namesOf } from './objects.fixture.ts';

/** Returns the names of the pods in each place, sorted, without empty places. */
export function placesOf(queue: SchedulingQueue): Record<string, string[]> {
  const places = {
    active: namesOf(queue.podsInActiveQ()),
    backoff: namesOf(queue.podsInBackoffQ()),
    unschedulable: namesOf(queue.unschedulablePods()),
    inFlight: namesOf(queue.inFlightPods()),
  };
  return Object.fromEntries(Object.entries(places).filter(([, names]) => names.length > 0));
}

/** A queue with a clock that only the test moves. */
export class QueueFixture {
  nowMs = Date.UTC(2024, 3, 17);
  readonly queue: SchedulingQueue;
  readonly #calls: string[] = [];
  #lastMs: number;

  constructor(plugins: readonly scheduling.QueueingPlugin[] = []) {
    const queue = new SchedulingQueue({ clock: { now: () => this.nowMs }, plugins });
    this.#lastMs = this.nowMs;
    this.queue = new Proxy(queue, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: readonly unknown[]) => {
          if (!/^pods|Pods$/.test(String(name))) this.#note(String(name), args);
          return Reflect.apply(member, target, args) as unknown;
        };
      },
    });
  }

  /** Describes the last calls, for the message of a failure. */
  get story(): string {
    const last = this.#calls.slice(-8);
    const calls = last.length < this.#calls.length ? ['…', ...last] : last;
    return `after ${calls.join(', ') || 'nothing'}: the pods in each place`;
  }

  /** Records a call that may change the queue, and the time that passed before it. */
  #note(call: string, [first, second]: readonly unknown[]): void {
    if (this.nowMs > this.#lastMs) this.#calls.push(`${this.nowMs - this.#lastMs} ms`);
    this.#lastMs = this.nowMs;
    const { pod, unschedulablePlugins } = (first ?? {}) as Partial<scheduling.QueuedPodInfo>;
    const { resource, actionType } = (first ?? {}) as { resource?: string; actionType?: string };
    const { name = '' } = (pod ?? (second as Pod | undefined) ?? (first as Pod | undefined))?.metadata ?? {};
    const about = resource ? `${resource} ${actionType}` : name;
    const by = [...(unschedulablePlugins ?? [])].join(', ');
    const rejected = unschedulablePlugins ? (by ? ` (rejected by ${by})` : ' (an error)') : '';
    this.#calls.push(`${call}(${about})${rejected}`);
  }

  /** Starts an assertion about the places; a failure shows the calls so far. */
  expectPlaces(what = ''): Assertion<Record<string, string[]>> {
    return expect(this.places(), what ? `${what}, ${this.story}` : this.story);
  }

  /** Advances the clock, and flushes the pods whose backoff is over. */
  pass(ms: number): void {
    this.nowMs += ms;
    this.queue.flushBackoffQCompleted();
  }

  places(): Record<string, string[]> {
    return placesOf(this.queue);
  }

  /** Pops the next pod, which must be active. */
  async take(): Promise<scheduling.QueuedPodInfo> {
    const info = await soFar(this.queue.pop());
    if (info === 'waits' || info === undefined) {
      throw new Error(
        `pop() must return an active pod at once, but it returned ${info === 'waits' ? 'a pending promise' : 'undefined'}, ${this.story}: ${JSON.stringify(this.places())}`,
      );
    }
    return info;
  }

  /** Pops all active pods, and returns their names in order. */
  async takeAll(): Promise<string[]> {
    const names: string[] = [];
    while (this.queue.podsInActiveQ().length > 0) names.push((await this.take()).pod.metadata.name);
    return names;
  }

  /** Pops the next pod and requeues it, as rejected by these plugins, or after an error if there are none. */
  async fail(...plugins: readonly string[]): Promise<scheduling.QueuedPodInfo> {
    const info = await this.take();
    this.bringBack(info, ...plugins);
    return info;
  }

  bringBack(info: scheduling.QueuedPodInfo, ...plugins: readonly string[]): void {
    this.queue.addUnschedulableIfNotPresent({ ...info, unschedulablePlugins: new Set(plugins) });
  }
}
