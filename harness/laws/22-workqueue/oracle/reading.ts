import {
  type HistoryEntry,
  type Item,
  identityOf,
  sayDrain,
  sayItem,
  type WorkQueueHistory,
} from '../history.ts';
import { Hypotheses } from './hypotheses.ts';
import { type Due, obligationsOf } from './obligations.ts';
import { type HandOver, Snapshot, sayStreak } from './snapshot.ts';
import { type Reading, Verdicts } from './verdicts.ts';

/** Reads a history: each entry changes the snapshot, and each law checks it. */
export function read(history: WorkQueueHistory): Reading {
  return new Reader(history).read();
}

class Reader {
  readonly #history: WorkQueueHistory;
  readonly #snapshot: Snapshot;
  readonly #verdicts = new Verdicts();
  readonly #hypotheses = new Hypotheses();
  /** Obligations that were already reported at the end of an earlier instant. */
  #owed = new Set<string>();
  /** How `runWorkers` ended, for the messages about items that no worker takes after that. */
  #ended = '';

  constructor(history: WorkQueueHistory) {
    this.#history = history;
    this.#snapshot = new Snapshot(history.scenario);
  }

  read(): Reading {
    for (const [index, entry] of this.#history.entries.entries()) {
      this.#pass(entry.atMs, index);
      this.#note(entry, index);
    }
    if (this.#history.entries.at(-1)?.kind !== 'cut') this.#endsClean();
    return this.#verdicts;
  }

  /** Lets time pass until the entry at this index. */
  #pass(atMs: number, index: number): void {
    const snapshot = this.#snapshot;
    const boundary = index - 0.5;
    if (index === 0) snapshot.beginInstant(atMs, boundary);
    while (snapshot.nowMs < atMs) {
      snapshot.endInstant(boundary);
      this.#holdTo(obligationsOf(snapshot), index);
      snapshot.beginInstant(Math.min(atMs, snapshot.nextMs), boundary);
    }
  }

  /** Reports each new obligation: at the end of an instant, none may be left. */
  #holdTo(obligations: readonly Due[], index: number): void {
    const { nowMs } = this.#snapshot;
    const owed = new Set<string>();
    for (const { law, words, why, item } of obligations) {
      owed.add(words);
      if (this.#owed.has(words)) continue;
      const late = item === undefined ? '' : `${this.#later(item, index, nowMs)}${identityOf(item)}`;
      const message = `${law === 'drains' ? 'the queue' : this.#snapshot.subject} did not ${words} at ${nowMs} ms, although ${why}${late}${this.#ended}`;
      this.#verdicts.break(law, nowMs, message, item);
    }
    this.#owed = owed;
  }

  /** Describes when the item was handed out later, and by how much too late. */
  #later(item: Item, index: number, dueMs: number): string {
    const handed = this.#history.entries
      .slice(index)
      .find((entry) => (entry.kind === 'got' || entry.kind === 'begin') && Object.is(entry.item, item));
    const name = sayItem(item);
    return handed
      ? `; ${name} was handed out only at ${handed.atMs} ms, ${handed.atMs - dueMs} ms late`
      : `; ${name} was never handed out after that`;
  }

  #note(entry: HistoryEntry, index: number): void {
    const snapshot = this.#snapshot;
    switch (entry.kind) {
      case 'add':
        this.#add(entry.item, index, entry.by);
        return;
      case 'addAfter':
        this.#addAfter(entry, index);
        return;
      case 'addRateLimited':
        this.#addRateLimited(entry.item, entry.by, index);
        return;
      case 'forget':
        if (snapshot.expectation.failuresOf(entry.item) > 0) snapshot.of(entry.item).streak = 'forgotten';
        snapshot.expectation.forget(entry.item);
        return;
      case 'len':
        this.#count(entry.count);
        return;
      case 'requeues':
        this.#countFailures(entry.item, entry.count);
        return;
      case 'ask':
        snapshot.waiting.set(entry.worker, index);
        return;
      case 'got':
        this.#take(entry.item, entry.worker, index);
        return;
      case 'done':
        this.#snapshot.giveBack(entry.item, entry.worker, index);
        return;
      case 'end':
        this.#sendHome(entry.worker, index);
        return;
      default:
        this.#noteEnding(entry, index);
    }
  }

  #noteEnding(entry: HistoryEntry, index: number): void {
    const snapshot = this.#snapshot;
    switch (entry.kind) {
      case 'shutDown':
        for (const drain of snapshot.drains.values()) drain.endedBy ??= 'shutDown';
        this.#close();
        return;
      case 'drain':
        this.#verdicts.drains = true;
        snapshot.drains.set(entry.drain, { hasRested: snapshot.inHand === 0, endedBy: undefined });
        if (snapshot.inHand > 0) this.#verdicts.meet('drains');
        this.#close();
        return;
      case 'drained':
        this.#drained(entry.drain);
        return;
      case 'begin':
        this.#begin(entry.item, index);
        return;
      case 'success':
      case 'failure':
        this.#settle(entry, index);
        return;
      case 'told':
        this.#told(entry.item, entry.error);
        return;
      case 'says':
        if (entry.closed !== snapshot.closed) {
          const message = `shuttingDown returned ${entry.closed} ${snapshot.closed ? 'after' : 'before'} the shutdown`;
          this.#verdicts.break(snapshot.aborted ? 'stops' : 'closes', entry.atMs, message);
        }
        return;
      case 'employ':
        snapshot.employed = true;
        return;
      case 'muster':
        snapshot.mustered = true;
        this.#verdicts.meet('unkillable');
        return;
      case 'abort':
        if (snapshot.inHand > 0) this.#verdicts.meet('stops');
        snapshot.aborted = true;
        for (const drain of snapshot.drains.values()) drain.endedBy ??= 'abort';
        this.#close();
        return;
      case 'returned':
        this.#returned();
        return;
      case 'rejected':
        this.#ended = `; runWorkers rejected at ${entry.atMs} ms (${String(entry.error)}): no error may end a worker`;
        this.#verdicts.break(
          'stops',
          entry.atMs,
          `runWorkers rejected with ${String(entry.error)}; it must never reject`,
        );
        return;
      case 'uncaught':
        this.#verdicts.break('unkillable', entry.atMs, `a worker did not catch ${String(entry.error)}`);
        return;
    }
  }

  #add(item: Item, index: number, by: string): void {
    const { wanted, hands } = this.#snapshot.of(item);
    if (hands.length > 0) this.#verdicts.meet('stingy', 'reentrant');
    else this.#verdicts.meet(wanted === 'no' ? 'lossless' : 'deduplicating');
    this.#snapshot.add(item, index, by);
  }

  #addAfter({ item, delayMs, by }: Extract<HistoryEntry, { kind: 'addAfter' }>, index: number): void {
    if (delayMs <= 0) {
      this.#add(item, index, by);
      return;
    }
    const { nowMs } = this.#snapshot;
    if (this.#snapshot.of(item).laters.length > 0) this.#verdicts.meet('patient');
    const why = `${by} called addAfter(${sayItem(item)}, ${delayMs}) at ${nowMs} ms`;
    this.#snapshot.addLater(item, delayMs, 'patient', why);
  }

  #addRateLimited(item: Item, by: string, index: number): void {
    const snapshot = this.#snapshot;
    if (snapshot.closed) return;
    const { streak } = snapshot.of(item);
    const law = streak === 'forgotten' ? 'forgets' : 'backsOff';
    const wait = snapshot.fail(item, law, `${by} called addRateLimited(${sayItem(item)})`, index);
    if (wait.isForToken) this.#verdicts.meet('throttled');
    else if (law === 'forgets' || snapshot.expectation.failuresOf(item) > 1) this.#verdicts.meet(law);
  }

  #count(count: number): void {
    const { line, all, waiting, nowMs } = this.#snapshot;
    if (line.length > 0) this.#verdicts.meet('counts');
    // `len` may or may not count an item that is on its way to a waiting worker.
    const least = Math.max(0, line.length - waiting.size);
    const most = all.filter(
      ({ wanted, hands, laters }) =>
        hands.length === 0 && (wanted !== 'no' || laters.some(({ loMs }) => loMs <= nowMs)),
    ).length;
    if (count >= least && count <= most) return;
    const wanted = least === most ? `${least}` : `${least} to ${most}`;
    const names = line.map(({ item }) => sayItem(item)).join(', ') || 'none';
    const message = `len returned ${count}, but ${wanted} items wait in line (certainly: ${names}); items in hand or with a delay do not count`;
    this.#verdicts.break('counts', nowMs, message);
  }

  #countFailures(item: Item, count: number): void {
    const { closed, expectation, nowMs } = this.#snapshot;
    const wanted = expectation.failuresOf(item);
    if (closed || count === wanted) return;
    const law = this.#snapshot.of(item).streak === 'forgotten' ? 'forgets' : 'backsOff';
    const message = `numRequeues(${sayItem(item)}) returned ${count}, but ${sayItem(item)} has ${wanted} ${wanted === 1 ? 'failure' : 'failures'} since it was last forgotten${identityOf(item)}`;
    this.#verdicts.break(law, nowMs, message, item);
  }

  #take(item: Item, worker: string, index: number): void {
    const snapshot = this.#snapshot;
    const asked = snapshot.waiting.get(worker) ?? -1;
    snapshot.waiting.delete(worker);
    for (const { law, violation } of this.#hypotheses.settle(item, asked))
      this.#verdicts.break(law, violation.atMs, violation.message);
    const taken = this.#handOut(item, worker, asked, index);
    if (taken) this.#compare(item, taken, index);
  }

  /** Notes that an item is in hand, and checks that it may be. */
  #handOut(item: Item, worker: string, asked: number, index: number): HandOver | undefined {
    const snapshot = this.#snapshot;
    const one = snapshot.of(item);
    const { nowMs } = snapshot;
    const [holder] = one.hands;
    if (holder !== undefined) {
      this.#verdicts.break('stingy', nowMs, snapshot.objectionToSecond(item, worker), item);
    }
    const before = one.got;
    const taken = snapshot.take(item, worker, asked, index);
    if (taken) return taken;
    const { law, message } = snapshot.objection(item, before);
    this.#verdicts.break(law, nowMs, `${message}${identityOf(item)}`, item);
    return undefined;
  }

  /** Checks that items which were in line earlier go first. */
  #compare(item: Item, { from, why }: HandOver, index: number): void {
    const { line, nowMs } = this.#snapshot;
    if (line.length > 0) this.#verdicts.meet('fair');
    for (const other of line) {
      if (other.line.to >= from) continue;
      const [name, longer] = [sayItem(item), sayItem(other.item)];
      const message = `${this.#snapshot.subject} handed out ${name} before ${longer}, which waited longer: ${other.why}. The order in line was ${longer}, ${name}: ${why}`;
      this.#hypotheses.raise(other.item, { index, law: 'fair', violation: { atMs: nowMs, message } });
    }
  }

  #sendHome(worker: string, index: number): void {
    const snapshot = this.#snapshot;
    const { closed, line, nowMs } = snapshot;
    const asked = snapshot.waiting.get(worker) ?? -1;
    snapshot.waiting.delete(worker);
    if (!closed)
      this.#verdicts.break(
        'closes',
        nowMs,
        `get returned undefined to ${worker}, although the queue was not shut down; it must wait for an item`,
      );
    for (const one of line) {
      if (one.line.to >= asked) continue;
      const message = `get returned undefined to ${worker}, although ${sayItem(one.item)} waits in line: ${one.why}; after a shutdown the queue must hand out the remaining items first`;
      this.#hypotheses.raise(one.item, { index, law: 'closes', violation: { atMs: nowMs, message } });
    }
  }

  #close(): void {
    const { line, waiting, all } = this.#snapshot;
    if (line.length + waiting.size + all.flatMap(({ laters }) => laters).length > 0)
      this.#verdicts.meet('closes');
    this.#snapshot.close();
  }

  #drained(drain: number): void {
    const snapshot = this.#snapshot;
    const [holder] = snapshot.all.filter(({ hands }) => hands.length > 0);
    const known = snapshot.drains.get(drain);
    snapshot.drains.delete(drain);
    if (known && !known.endedBy && !known.hasRested && holder) {
      const message = `${sayDrain(drain)} returned while ${holder.hands[0]} had ${sayItem(holder.item)} in hand`;
      this.#verdicts.break('drains', snapshot.nowMs, message);
    }
  }

  #begin(item: Item, index: number): void {
    const snapshot = this.#snapshot;
    const { nowMs, pool } = snapshot;
    if (snapshot.aborted)
      this.#verdicts.break('stops', nowMs, `runWorkers called sync(${sayItem(item)}) after the abort`);
    this.#handOut(item, 'a worker', -1, index);
    const workers = pool?.workers ?? 0;
    if (snapshot.inHand === workers) this.#verdicts.meet('bounded');
    if (snapshot.inHand <= workers) return;
    const names = snapshot.all.flatMap(({ item: each, hands }) => hands.map(() => sayItem(each)));
    this.#verdicts.break(
      'bounded',
      nowMs,
      `runWorkers has ${snapshot.inHand} items in hand at once (${names.join(', ')}), but only ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
    );
  }

  #settle(entry: Extract<HistoryEntry, { kind: 'success' | 'failure' }>, index: number): void {
    const snapshot = this.#snapshot;
    const { item } = entry;
    const one = snapshot.of(item);
    const failures = snapshot.expectation.failuresOf(item);
    this.#snapshot.giveBack(item, 'a worker', index);
    if (entry.kind === 'success') {
      if (failures > 0) one.streak = 'success';
      snapshot.expectation.forget(item);
      return;
    }
    const { maxRetries = Number.POSITIVE_INFINITY, listener } = snapshot.pool ?? {};
    snapshot.unreported.push({ item, error: entry.error });
    if (listener !== 'absent') this.#verdicts.meet('reportsFailures');
    if (failures >= maxRetries) {
      one.streak = 'giving up';
      this.#verdicts.meet('givesUp');
      snapshot.expectation.forget(item);
      return;
    }
    const law =
      ({ 'giving up': 'givesUp', success: 'forgives' } as const)[one.streak as string] ?? 'persistent';
    this.#verdicts.meet(law);
    snapshot.fail(item, law, `sync(${sayItem(item)}) failed${sayStreak[one.streak]}`, index);
  }

  #told(item: Item, error: unknown): void {
    const { unreported, nowMs } = this.#snapshot;
    const index = unreported.findIndex((one) => one.item === item && one.error === error);
    if (index >= 0) unreported.splice(index, 1);
    else this.#verdicts.break('reportsFailures', nowMs, this.#snapshot.objectionToReport(item, error));
  }

  #returned(): void {
    const snapshot = this.#snapshot;
    const { nowMs, objectionToReturn: objection } = snapshot;
    snapshot.returned = true;
    this.#ended = `; runWorkers returned at ${nowMs} ms`;
    if (objection !== undefined) this.#verdicts.break('stops', nowMs, `runWorkers returned ${objection}`);
  }

  /** Checks that no obligation and no timer is left, long after the end. */
  #endsClean(): void {
    const snapshot = this.#snapshot;
    const { nowMs } = snapshot;
    this.#verdicts.meet('endsClean');
    snapshot.endInstant(this.#history.entries.length);
    for (const { words, why, item } of obligationsOf(snapshot)) {
      const message = `${this.#snapshot.subject} did not ${words} until the end, although ${why}${this.#ended}`;
      this.#verdicts.break('endsClean', nowMs, message, item);
    }
    // An item that was passed over and is never handed out is a certain violation.
    for (const { law, violation } of this.#hypotheses.left)
      this.#verdicts.break(law, violation.atMs, violation.message);
    const last = this.#history.entries.at(-1);
    if (last?.kind !== 'rest') return;
    for (const item of last.kept)
      this.#verdicts.break(
        'stops',
        nowMs,
        `runWorkers took ${sayItem(item)} from the queue, but never called done`,
        item,
      );
    if (snapshot.returned && !snapshot.aborted && last.listeners > 0) {
      const left = `left ${last.listeners === 1 ? 'its listener' : `${last.listeners} listeners`}`;
      const why = 'for "abort" on the signal: each call would add another one';
      this.#verdicts.break('endsClean', nowMs, `runWorkers returned, but ${left} ${why}`);
    }
    if (last.timers === 0) return;
    const timers = last.timers === 1 ? '1 timer is' : `${last.timers} timers are`;
    const why = 'left on the clock, long after the queue was shut down; a shutdown must cancel all timers';
    this.#verdicts.break('endsClean', nowMs, `${timers} ${why}`);
  }
}
