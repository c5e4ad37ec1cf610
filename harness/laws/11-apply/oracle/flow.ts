import type { KubeObject } from '../../../api/objects.ts';
import { annotationOf, isChange, nameOf, type RequestRecord, reasonOf } from '../history.ts';
import type { Wanted } from './documents.ts';
import type { Judged } from './findings.ts';
import { isCorrupt } from './original.ts';

/** The result that the requests about an object have. */
export type Outcome =
  | {
      readonly is: 'created' | 'configured' | 'unchanged' | 'serverside-applied';
      /** The object that the server returned last. */
      readonly object: KubeObject;
    }
  /** The cause is undefined if no request failed, but a wait was too long. */
  | { readonly is: 'failed'; readonly cause: unknown }
  /** No request shows a result. */
  | { readonly is: 'nothing' };

/** The course of the requests about one object. */
export interface Course {
  readonly wanted: Wanted;
  readonly name: string;
  readonly requests: readonly RequestRecord[];
  readonly outcome: Outcome;
  /** The live object of the first read. */
  readonly firstSeen?: KubeObject;
  /** The live object of the last read. */
  readonly lastSeen?: KubeObject;
  /** The delete of `force`, if it succeeded. */
  readonly deleted?: RequestRecord;
}

/** The most patches of one object, and the pause before each of them but the first two. */
const PATCHES_MAX = 6;
const PAUSE_MS = 1_000;

/** Follows the requests about one object, and judges their order, number and pauses. */
export function follow(judged: Judged, wanted: Wanted): Course {
  const name = nameOf(wanted.resource, wanted.key);
  const requests = judged.apply.requests.filter(({ resource, key }) => nameOf(resource, key) === name);
  const walk = new Walk(judged, name);
  for (const request of requests) if (request.answeredMs !== undefined) walk.take(request);
  walk.end();
  const { firstSeen, seen, deleted } = walk;
  return {
    wanted,
    name,
    requests,
    outcome: walk.outcome(),
    ...(firstSeen && { firstSeen }),
    ...(seen && { lastSeen: seen }),
    ...(deleted && { deleted }),
  };
}

class Walk {
  firstSeen: KubeObject | undefined;
  seen: KubeObject | undefined;
  deleted: RequestRecord | undefined;
  readonly #judged: Judged;
  readonly #name: string;
  #isAbsent = false;
  #lastRead = -1;
  #changes = 0;
  #conflicts: RequestRecord[] = [];
  #failed: RequestRecord | undefined;
  #refused: RequestRecord | undefined;
  #success: Outcome | undefined;
  #reads = 0;
  #endMs = 0;

  constructor(judged: Judged, name: string) {
    this.#judged = judged;
    this.#name = name;
  }

  take(request: RequestRecord): void {
    this.#endMs = request.answeredMs ?? request.sentMs;
    if (request.verb === 'get') this.#read(request);
    else if (isChange(request)) this.#change(request);
    else if (request.verb === 'delete') this.#delete(request);
    else if (request.verb === 'create') this.#create(request);
  }

  outcome(): Outcome {
    if (this.#failed) return { is: 'failed', cause: this.#failed.error };
    if (isCorrupt(annotationOf(this.seen)) && !this.deleted) return { is: 'failed', cause: undefined };
    if (this.#success) return this.#success;
    if (this.deleted) return { is: 'failed', cause: undefined };
    const conflict = this.#conflicts.at(-1);
    // After a conflict, the new live object may match the manifest already.
    const hasRead = conflict !== undefined && this.#lastRead > conflict.number;
    if (conflict && !hasRead) return { is: 'failed', cause: conflict.error };
    if (this.seen) return { is: 'unchanged', object: this.seen };
    return { is: 'nothing' };
  }

  /** Judges the end of the requests. */
  end(): void {
    const { apply, findings, name } = this.#judged;
    const { force = false } = apply.options;
    const isStuck = this.#failed === undefined && this.#success === undefined;
    const last = this.#conflicts.at(-1);
    const hasRead = last !== undefined && this.#lastRead > last.number;
    if (last && isStuck && !hasRead && this.#changes < PATCHES_MAX) {
      findings.report(
        'bounded',
        this.#endMs,
        `${name} gave up ${this.#name} after ${count(this.#changes, 'patch', 'patches')}; after a conflict, it must try again, up to ${PATCHES_MAX} times.`,
      );
    }
    const mustForce =
      force &&
      !this.deleted &&
      ((last && isStuck && !hasRead && this.#changes >= PATCHES_MAX) ||
        (this.#refused !== undefined && this.#refused === this.#failed));
    if (mustForce) {
      findings.report(
        'neverLost',
        this.#endMs,
        `${name} has --force, but did not replace ${this.#name} after the server had refused the last patch.`,
      );
    }
  }

  #read(request: RequestRecord): void {
    this.#reads++;
    // A client may go on waiting for the deletion after a read that failed.
    if (this.deleted && this.#failed?.verb === 'get') this.#failed = undefined;
    if (request.answer !== undefined) {
      this.seen = request.answer as KubeObject;
      this.firstSeen ??= this.seen;
      this.#isAbsent = false;
      this.#lastRead = request.number;
      return;
    }
    if (reasonOf(request.error) === 'NotFound') {
      this.#isAbsent = true;
      this.#lastRead = request.number;
      // An object that disappeared between two patches cannot be patched any more.
      if (this.#conflicts.length > 0 && !this.deleted) this.#failed = request;
      return;
    }
    this.#failed = request;
  }

  #change(request: RequestRecord): void {
    const { findings, name } = this.#judged;
    findings.meet('readsFirst');
    const conflict = this.#conflicts.at(-1);
    if (this.#lastRead < 0 || (this.#isAbsent && !this.deleted)) {
      findings.report(
        'readsFirst',
        request.sentMs,
        `${name} sent a ${request.verb} of ${this.#name} without a live object: it must read the object before.`,
      );
    }
    if (this.#failed && isChange(this.#failed)) {
      findings.report(
        'bounded',
        request.sentMs,
        `${name} sent another ${request.verb} of ${this.#name} after ${String(reasonOf(this.#failed.error) ?? this.#failed.error)}: only a conflict is tried again.`,
      );
    }
    if (conflict) this.#judgeRetry(request, conflict);
    this.#changes++;
    if (this.#changes > PATCHES_MAX) {
      findings.report(
        'bounded',
        request.sentMs,
        `${name} sent patch ${this.#changes} of ${this.#name}; ${PATCHES_MAX} is the limit.`,
      );
    }
    if (request.answer !== undefined) {
      this.#success = { is: 'configured', object: request.answer as KubeObject };
      this.#failed = undefined;
    } else if (reasonOf(request.error) === 'Conflict') this.#conflicts.push(request);
    else {
      this.#failed = request;
      if (reasonOf(request.error) === 'Invalid') this.#refused = request;
    }
  }

  #judgeRetry(request: RequestRecord, conflict: RequestRecord): void {
    const { apply, findings, name } = this.#judged;
    findings.meet('fresh', 'bounded');
    if (this.#lastRead < conflict.number) {
      findings.report(
        'fresh',
        request.sentMs,
        `${name} sent another ${request.verb} of ${this.#name} after a conflict without reading the object again.`,
      );
    }
    const between = apply.requests.filter(
      ({ number }) => number > conflict.number && number < request.number,
    );
    const busyMs = between.reduce((sum, each) => sum + ((each.answeredMs ?? each.sentMs) - each.sentMs), 0);
    const read = between.findLast(({ verb, answer }) => verb === 'get' && answer !== undefined);
    const heldMs = read ? request.sentMs - (read.answeredMs ?? read.sentMs) : 0;
    if (heldMs > 0) {
      findings.report(
        'bounded',
        request.sentMs,
        `${name} waited ${heldMs} ms between the read of ${this.#name} and patch ${this.#changes + 1}: it must pause before the read, so that the patch is about the newest object.`,
      );
    }
    const pausedMs = request.sentMs - (conflict.answeredMs ?? 0) - busyMs;
    const rightMs = this.#conflicts.length === 1 ? 0 : PAUSE_MS;
    if (pausedMs === rightMs) return;
    findings.report(
      'bounded',
      request.sentMs,
      `${name} paused ${pausedMs} ms before patch ${this.#changes + 1} of ${this.#name}; ${rightMs} ms is right: the first retry follows at once, each later one after a second.`,
    );
  }

  #delete(request: RequestRecord): void {
    const { apply, findings, name } = this.#judged;
    const { force = false } = apply.options;
    const conflict = this.#conflicts.at(-1);
    const mayForce =
      force &&
      ((this.#refused !== undefined && this.#failed === this.#refused) ||
        (conflict !== undefined && this.#success === undefined && this.#changes >= PATCHES_MAX));
    if (!mayForce) {
      const why = force
        ? `the server had not refused ${this.#changes < PATCHES_MAX && conflict ? `patch ${PATCHES_MAX}` : 'the patch'}`
        : 'without --force';
      findings.report('neverLost', request.sentMs, `${name} deleted ${this.#name}, ${why}.`);
    }
    if (request.answer === undefined) {
      this.#failed = request;
      return;
    }
    this.deleted = request;
    this.#isAbsent = false;
    this.#failed = undefined;
    this.#conflicts = [];
    this.#reads = 0;
  }

  #create(request: RequestRecord): void {
    const { findings, name } = this.#judged;
    findings.meet('readsFirst');
    if (!this.#isAbsent) {
      findings.report(
        'readsFirst',
        request.sentMs,
        `${name} created ${this.#name} although no read had shown that it is missing.`,
      );
    }
    if (this.deleted && request.number > this.deleted.number) {
      const waitedMs = request.sentMs - (this.deleted.answeredMs ?? 0);
      if (this.#reads > waitedMs / PAUSE_MS + 2) {
        findings.report(
          'bounded',
          request.sentMs,
          `${name} asked ${this.#reads} times in ${waitedMs} ms whether ${this.#name} is deleted; once a second is enough.`,
        );
      }
    }
    if (request.answer === undefined) {
      this.#failed = request;
      return;
    }
    if (this.#failed) return;
    const object = request.answer as KubeObject;
    this.#success = { is: this.deleted ? 'configured' : 'created', object };
  }
}

/** Returns whether the live object lacks the annotation of apply. */
export const isForgotten = (object: KubeObject | undefined): boolean =>
  object !== undefined && annotationOf(object) === undefined;

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;
