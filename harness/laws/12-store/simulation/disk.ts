import type { LogFile } from '../../../contracts/store/index.ts';
import type { Random, Simulation } from '../../../sim/index.ts';
import type { CrashPlan, StoreScenario, Torn } from '../scenario/index.ts';

/** The log's file on a disk. It survives the processes that write it. */
export class CrashingLog {
  readonly #sim: Simulation;
  readonly #latency: StoreScenario['disk'];
  readonly #random: Random;
  /** The text that no crash can take. */
  #safe = '';
  /** The text that has arrived, but is not synced. */
  #unsynced = '';
  /** The texts that are on their way, in their order. */
  #arriving: string[] = [];
  #process: LogOfProcess | undefined;

  constructor(sim: Simulation, latency: StoreScenario['disk']) {
    this.#sim = sim;
    this.#latency = latency;
    this.#random = sim.random.fork('disk');
  }

  /**
   * Opens the file for a new process. Calls of an earlier process no longer have an effect.
   *
   * @param onCall called for each call, before and after its effect
   */
  open(onCall: (call: number, moment: 'before' | 'after') => void): LogFile {
    this.#process?.die();
    this.#process = new LogOfProcess(this, onCall);
    return this.#process;
  }

  /** Ends the process. A part of the unsynced text is lost, and the rest may be torn. */
  crash({ keeps, torn }: Pick<CrashPlan, 'keeps' | 'torn'>): void {
    this.#process?.die();
    const pending = this.#unsynced + this.#arriving.join('');
    this.#arriving = [];
    const kept = Math.floor((pending.length * keeps) / 100);
    // Text that one crash leaves can be lost in the next one.
    this.#unsynced = pending.slice(0, kept) + tearing[torn](pending.slice(kept), this.#safe);
  }

  /** Waits for a call to have its effect. */
  async delay(what: 'read' | 'append' | 'sync' | 'truncate'): Promise<void> {
    const { readMs, appendMs, syncMs } = this.#latency;
    const most = { read: readMs, append: appendMs, sync: syncMs, truncate: syncMs }[what];
    await this.#sim.turn(this.#random.int(most + 1), 'disk', what);
  }

  get text(): string {
    return this.#safe + this.#unsynced;
  }

  get unsynced(): number {
    return this.#unsynced.length;
  }

  depart(text: string): void {
    this.#arriving.push(text);
  }

  /** The first text on its way arrives. */
  arrive(): void {
    this.#unsynced += this.#arriving.shift() ?? '';
  }

  /** Makes the first unsynced characters safe, up to a length of the file. */
  sync(length: number): void {
    const count = Math.max(0, length - this.#safe.length);
    this.#safe += this.#unsynced.slice(0, count);
    this.#unsynced = this.#unsynced.slice(count);
  }

  truncate(length: number): void {
    this.#safe = this.text.slice(0, length);
    this.#unsynced = '';
  }

  /** Counts a call, so that a loop without a pause ends. */
  spend(what: string): Promise<void> | undefined {
    return this.#sim.spend('the store', what);
  }
}

/** The text in the place of lost text. */
const tearing: Readonly<Record<Torn, (lost: string, safe: string) => string>> = {
  nothing: () => '',
  zeros: (lost) => '\0'.repeat(lost.length),
  'one character': (lost) => {
    // In the first line, or near the end of the last one.
    const at = Math.floor(lost.length * ([0.2, 0.75, 0.85, 0.3, 0.8][lost.length % 5] ?? 0));
    return lost === '' ? '' : `${lost.slice(0, at)}${lost[at] === 'x' ? 'y' : 'x'}${lost.slice(at + 1)}`;
  },
  noise: (lost) => '{"\n}7,'.repeat(lost.length).slice(0, lost.length),
  // It begins in the middle of a line: no checksum can tell a whole older line from a new one.
  'older text': (lost, safe) => `~${safe.slice(-lost.length)}`.slice(0, lost.length),
};

/** The file of one process. */
class LogOfProcess implements LogFile {
  readonly #log: CrashingLog;
  readonly #onCall: (call: number, moment: 'before' | 'after') => void;
  #calls = 0;
  #isAlive = true;
  #line: Promise<void> = Promise.resolve();

  constructor(log: CrashingLog, onCall: (call: number, moment: 'before' | 'after') => void) {
    this.#log = log;
    this.#onCall = onCall;
  }

  die(): void {
    this.#isAlive = false;
  }

  async read(): Promise<string> {
    let text = '';
    await this.#perform('read', () => {
      text = this.#log.text;
    });
    return text;
  }

  async append(text: string): Promise<void> {
    if (this.#isAlive) this.#log.depart(text);
    // Appends arrive in their order.
    const before = this.#line;
    const arrived = this.#perform('append', async () => {
      await before;
      if (this.#isAlive) this.#log.arrive();
    });
    this.#line = arrived;
    await arrived;
  }

  async sync(): Promise<void> {
    const { length } = this.#log.text;
    await this.#perform('sync', () => this.#log.sync(length));
  }

  async truncate(length: number): Promise<void> {
    await this.#perform('truncate', () => this.#log.truncate(length));
  }

  async #perform(
    what: 'read' | 'append' | 'sync' | 'truncate',
    act: () => void | Promise<void>,
  ): Promise<void> {
    const call = this.#calls++;
    if (this.#isAlive) this.#onCall(call, 'before');
    const stuck = this.#log.spend(what);
    if (stuck) await stuck;
    await this.#log.delay(what);
    if (!this.#isAlive) await never();
    await act();
    this.#onCall(call, 'after');
    if (!this.#isAlive) await never();
  }
}

/** Returns the promise on which the calls of a dead process wait. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
