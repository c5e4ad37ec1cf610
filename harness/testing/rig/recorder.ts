import type { Client } from '../../contracts/client.ts';
import { intercept } from '../../contracts/intercept.ts';
import { type ApiAnswer, type ApiRequest, type ApiVerb, targetOf } from '../../contracts/request.ts';
import type { Simulation } from '../../sim/index.ts';

/** How long a component may think, in virtual ms, between a look at its cache and what comes of it. */
export const THOUGHT_MS = 1_000;

/** A request that a component made, and what came of it. */
export interface RecordedRequest {
  readonly request: ApiRequest;
  readonly verb: ApiVerb;
  /** The resource's plural. */
  readonly resource: string;
  /** The name of the object that it was about; absent for a list, and where the object has none yet. */
  readonly name?: string;
  /** Which life of the component asked: the first, the second. */
  readonly life: number;
  readonly sentMs: number;
  /** Its place among all that was numbered: {@link RequestRecorder.number}. */
  readonly sentAs: number;
  /** When the answer came; absent when none did. */
  answeredMs?: number;
  answeredAs?: number;
  /** What the server answered, when it was a success. */
  answer?: ApiAnswer;
  /** What the answer was, when it was no success. */
  error?: unknown;
}

/** A time in which requests followed each other without a pause. */
interface Chain {
  readonly beganMs: number;
  /** When the process began. */
  readonly bornMs: number;
}

/**
 * Writes down what a component asks the server, over all its lives. Watches are not written down: they decide nothing, and are
 * under way for as long as the component is.
 */
export class RequestRecorder {
  readonly requests: RecordedRequest[] = [];
  readonly #sim: Simulation;
  readonly #chains: Chain[] = [];
  #pending = new Set<RecordedRequest>();
  #idleSinceMs = 0;
  #bornMs = 0;
  #numbered = 0;
  #life = 0;

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  /** Which life it is: 1 for the first; 0 before it. */
  get life(): number {
    return this.#life;
  }

  /** Does the component wait for an answer? */
  get busy(): boolean {
    return this.#pending.size > 0;
  }

  /** The next number: requests, answers and whatever else asks for one are numbered in the order in which they happen. */
  number(): number {
    return this.#numbered++;
  }

  /** The client for a new life of the component, recorded. What the life before waited for never comes. */
  client(client: Client): Client {
    this.#life++;
    this.#pending = new Set();
    this.#bornMs = this.#sim.elapsedMs;
    this.#idleSinceMs = this.#bornMs;
    const pending = this.#pending;
    return intercept(client, (request, send) => {
      if (request.verb === 'watch') return send(request);
      const recorded = this.#sent(request);
      const answer = send(request);
      answer.then(
        (value) => this.#answered(recorded, pending, { answer: value }),
        (error: unknown) => this.#answered(recorded, pending, { error }),
      );
      return answer;
    });
  }

  /**
   * Since when the component, that does something at `atMs`, has not looked up: it may know no more than it knew then. Everything
   * since was asked for without a pause, except for a while in which it thought: what one worker thinks of, the requests of
   * another do not tell.
   */
  sinceMs(atMs: number): number {
    const chain = this.#chains.findLast(({ beganMs }) => beganMs <= atMs);
    return chain ? Math.max(chain.bornMs, chain.beganMs - THOUGHT_MS) : 0;
  }

  #sent(request: ApiRequest): RecordedRequest {
    const { elapsedMs: sentMs } = this.#sim;
    const { verb, resource } = request;
    const { name } = targetOf(request);
    const recorded: RecordedRequest = {
      request,
      verb,
      resource: resource.plural,
      ...(name === undefined ? {} : { name }),
      life: this.#life,
      sentMs,
      sentAs: this.number(),
    };
    if (this.#pending.size === 0 && (this.#chains.length === 0 || sentMs > this.#idleSinceMs)) {
      this.#chains.push({ beganMs: sentMs, bornMs: this.#bornMs });
    }
    this.#pending.add(recorded);
    this.requests.push(recorded);
    return recorded;
  }

  #answered(
    recorded: RecordedRequest,
    pending: Set<RecordedRequest>,
    outcome: Pick<RecordedRequest, 'answer' | 'error'>,
  ): void {
    Object.assign(recorded, outcome, { answeredMs: this.#sim.elapsedMs, answeredAs: this.number() });
    pending.delete(recorded);
    if (pending === this.#pending && pending.size === 0) this.#idleSinceMs = this.#sim.elapsedMs;
  }
}
