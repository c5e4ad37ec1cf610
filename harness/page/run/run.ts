import type { Deployment } from '../../api/objects.ts';
import { deployments } from '../../api/resource.ts';
import { restarting } from '../../cli/restarting.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Process } from '../../cluster/process.ts';
import { createWholeCluster } from '../../cluster/whole-cluster.ts';
import type { Attempt } from '../../node/network/stack/connection.ts';
import { type Kubectl, newKubectl } from '../kubectl/kubectl.ts';
import type { RequestLine } from '../protocol/details.ts';
import type { Action, Recipe, TimedAction } from '../protocol/recipe.ts';
import type { CommandOutput, ReadOutput } from '../protocol/run-service.ts';
import { requestLineOf } from '../view/request-details.ts';
import { RequestLog } from '../view/request-log.ts';
import { type ActionContext, perform } from './actions.ts';
import { InputLines } from './input-lines.ts';
import { type Implementations, Parts } from './parts.ts';

/** The name of the user at the prompt, in traces and in the journal. */
const USER = 'kubectl';

/** The head of a recipe: everything but the actions. */
export type RecipeHead = Omit<Recipe, 'actions'>;

/** A new cluster settles within this virtual time, in ms. */
const SETTLED_MS = 20_000;
/** The longest further time until its own workloads are ready. */
const READY_MS = 120_000;

/**
 * One execution of a recipe: a whole cluster, and its actions up to now. All times are virtual ms since the cluster stood.
 *
 * The same recipe gives the same run, however the caller divides the time, and whatever it observes between. An action
 * happens after everything that is due at its instant.
 */
export class Run implements AsyncDisposable {
  readonly cluster: Cluster;
  readonly head: RecipeHead;
  readonly parts: Parts;
  /** The processes of the cluster, in start order. */
  readonly processes: readonly Process[];
  /** The requests to its apiservers. */
  readonly requests: RequestLog;
  /** When the cluster stood, in virtual ms since its simulation began. */
  readonly stoodMs: number;
  readonly #actions: TimedAction[] = [];
  readonly #output: CommandOutput[] = [];
  /** The kubectl of the page itself, which may read everything, and whose requests the log leaves out. */
  readonly #describing: Kubectl;
  readonly #context: ActionContext;
  /** Number of actions that have happened. */
  #done = 0;

  /**
   * Starts a cluster, and lets it settle.
   *
   * @param options.onProgress called now and then with the share of the way, 0 to 1
   */
  static async begin(
    head: RecipeHead,
    implementations: Implementations,
    { onProgress = () => {} }: { readonly onProgress?: (share: number) => void } = {},
  ): Promise<Run> {
    const parts = new Parts(implementations);
    let elapsedMs = (): number => 0;
    const requests = new RequestLog(() => elapsedMs());
    const { cluster, processes } = await createWholeCluster({
      components: parts.components,
      seed: head.seed,
      nodes: head.nodes,
      secured: true,
      canMove: true,
      observe: requests.observe,
    });
    elapsedMs = () => cluster.sim.elapsedMs;
    const settledMs = cluster.sim.elapsedMs + SETTLED_MS;
    await cluster.runUntil(() => {
      onProgress((0.8 * cluster.sim.elapsedMs) / settledMs);
      return false;
    }, SETTLED_MS);
    await cluster.runUntil(() => stands(cluster), READY_MS);
    // A process that gave up shows its error until then.
    restarting(cluster, processes, { tell: () => {} });
    return new Run({ head, parts, cluster, processes, requests });
  }

  private constructor({
    head,
    parts,
    cluster,
    processes,
    requests,
  }: Pick<Run, 'head' | 'parts' | 'cluster' | 'processes' | 'requests'>) {
    this.head = head;
    this.parts = parts;
    this.cluster = cluster;
    this.processes = processes;
    this.requests = requests;
    this.stoodMs = cluster.sim.elapsedMs;
    const connected = cluster.connect(USER);
    this.#describing = newKubectl({
      cluster,
      userOf: () => ({ connected, undisturbed: cluster.admin, mustBeAllowed: () => {} }),
    });
    this.#context = {
      cluster,
      parts,
      processes,
      kubectl: newKubectl({ cluster, userOf: (impersonates) => cluster.userOf(USER, impersonates) }),
      commands: new Map(),
      reservedBytes: new Map(),
      packets: new Map(),
      requestsSince: () => this.#requestsSince(),
      write: (output) => this.#output.push(output),
    };
  }

  /** Virtual ms since the cluster stood. */
  get nowMs(): number {
    return this.cluster.sim.elapsedMs - this.stoodMs;
  }

  /** The time of the next task or action; infinite without one. */
  get nextMs(): number {
    const { nextDueMs = Number.POSITIVE_INFINITY } = this.cluster.sim;
    return Math.min(nextDueMs - this.stoodMs, this.#actions[this.#done]?.atMs ?? Number.POSITIVE_INFINITY);
  }

  /** The recipe of this run: its past and its future actions. */
  get recipe(): Recipe {
    return { ...this.head, actions: this.#actions };
  }

  /** The output of all commands, oldest first. */
  get output(): readonly CommandOutput[] {
    return this.#output;
  }

  /** Number of actions that have happened. */
  get done(): number {
    return this.#done;
  }

  /** Returns the packet of a request action; undefined before it was sent. */
  packetOf(number: number): Attempt | undefined {
    return this.#context.packets.get(number);
  }

  /** The kubectl of the user. */
  get kubectl(): Kubectl {
    return this.#context.kubectl;
  }

  /** Runs a command that only reads. @throws Error for a command that writes */
  async readWith(line: string): Promise<ReadOutput> {
    if (!this.kubectl.onlyReads(line))
      throw new Error(`Failed to read with "${line}": it writes. Act with it.`);
    const requests = this.#requestsSince();
    const { output, exitCode } = await this.#read(this.kubectl, line);
    return { output, exitCode, atMs: this.nowMs, requests: requests() };
  }

  /** Returns a function that returns the requests of the user since this call. */
  #requestsSince(): () => readonly RequestLine[] {
    const { count } = this.requests;
    return () => this.requests.since(count, USER).map((record) => requestLineOf(record, this.stoodMs));
  }

  async #read(kubectl: Kubectl, line: string): Promise<Pick<ReadOutput, 'output' | 'exitCode'>> {
    let output = '';
    const add = (text: string): void => {
      output += text;
    };
    const nothing = new InputLines();
    const { signal } = new AbortController();
    const command = kubectl.run(line, { files: {}, input: nothing, signal, out: add, err: add });
    let exitCode: number | undefined;
    command.then(
      (code) => {
        exitCode = code;
      },
      () => {
        exitCode = 1;
      },
    );
    // A read that waited for virtual time would block every other call of the page.
    await this.advance(this.nowMs);
    if (exitCode === undefined) throw new Error(`Failed to read with "${line}": it waits for time to pass.`);
    return { output, exitCode: await command };
  }

  /** Returns an object as `kubectl describe` prints it; undefined if it does not exist. */
  async describe(resource: string, key: string): Promise<string | undefined> {
    const [name, namespace] = key.split('/').reverse();
    const where = namespace === undefined ? '' : ` -n ${namespace}`;
    const { output, exitCode } = await this.#read(this.#describing, `describe ${resource} ${name}${where}`);
    return exitCode === 0 ? output : undefined;
  }

  /** Adds actions that will happen when their time comes. @throws RangeError when the time of one has passed */
  expect(actions: readonly TimedAction[]): void {
    const late = actions.find(({ atMs }) => atMs < this.nowMs);
    if (late)
      throw new RangeError(`Failed to plan ${late.do} at ${late.atMs} ms: it is ${this.nowMs} ms already.`);
    this.#actions.push(...actions);
  }

  /**
   * Lets time pass until `toMs`. The actions of the recipe happen when their time comes.
   *
   * @param enough called after each task: ends the call early when it returns true, perhaps in the middle of an instant
   */
  async advance(toMs: number, enough: () => boolean = () => false): Promise<void> {
    for (;;) {
      const next = this.#actions[this.#done];
      const endMs = Math.min(toMs, next?.atMs ?? Number.POSITIVE_INFINITY);
      let isCut = false;
      await this.cluster.sim.run({
        forMs: Math.max(0, endMs - this.nowMs),
        until: () => {
          isCut = enough();
          return isCut;
        },
      });
      if (isCut || !next || next.atMs > toMs) return;
      this.#perform(next);
    }
  }

  /**
   * Acts now, and drops the actions that were still to come. Resolves when the action has begun.
   *
   * @returns its number, and a promise that resolves when it has ended: time must pass until then
   * @throws Error when the action is impossible
   */
  async act(action: Action): Promise<{ readonly number: number; readonly ended: Promise<void> }> {
    await this.advance(this.nowMs);
    const timed: TimedAction = { ...action, atMs: this.nowMs };
    const number = this.#done;
    const later = this.#actions.splice(number, Number.POSITIVE_INFINITY, timed);
    try {
      return { number, ended: this.#perform(timed) };
    } catch (error) {
      // An impossible action changed nothing. The recipe leaves it out, and keeps the later ones.
      this.#done = number;
      this.#actions.splice(number, 1, ...later);
      throw error;
    }
  }

  #perform(action: TimedAction): Promise<void> {
    const number = this.#done++;
    return perform(action, number, this.#context);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }
}

/** Runs a recipe from its beginning to a time. @param toMs @defaultValue the time of the last action */
export async function runRecipe(
  { actions, ...head }: Recipe,
  implementations: Implementations,
  toMs: number = actions.at(-1)?.atMs ?? 0,
): Promise<Run> {
  const run = await Run.begin(head, implementations);
  run.expect(actions);
  await run.advance(toMs);
  return run;
}

/** Returns whether the cluster's own workloads are available. */
function stands({ storage }: Cluster): boolean {
  return (storage.list(deployments) as Deployment[]).every(
    ({ spec, status }) => (status?.availableReplicas ?? 0) >= (spec.replicas ?? 1),
  );
}
