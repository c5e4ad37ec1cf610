import type { Client } from '../../contracts/client.ts';
import { intercept } from '../../contracts/intercept.ts';
import { type ApiAnswer, type ApiRequest, type ApiVerb, targetOf } from '../../contracts/request.ts';
import type { Simulation } from '../../sim/index.ts';

/** The longest time between a component's read of its cache and the resulting request, in virtual ms. */
export const THOUGHT_MS = 1_000;

/** A request of a component, and its result. */
export interface RecordedRequest {
  readonly request: ApiRequest;
  readonly verb: ApiVerb;
  /** The resource's plural. */
  readonly resource: string;
  /** The name of its object; absent for a list, and for an object without a name yet. */
  readonly name?: string;
  /** The incarnation of the component: 1 for the first. */
  readonly incarnation: number;
  readonly sentMs: number;
  /** Its number in the sequence of {@link RequestRecorder.number}. */
  readonly sentAs: number;
  /** The time of the answer; absent without an answer. */
  answeredMs?: number;
  answeredAs?: number;
  /** The server's answer, if the request succeeded. */
  answer?: ApiAnswer;
  /** The error, if the request failed. */
  error?: unknown;
}

/** A sequence of requests without a pause. */
interface Chain {
  readonly beganMs: number;
  /** The start of the process. */
  readonly bornMs: number;
}

/**
 * Records the requests of a component over all its incarnations. Watches are not recorded: they decide nothing, and
 * last as long as the component.
 */
export class RequestRecorder {
  readonly requests: RecordedRequest[] = [];
  readonly #sim: Simulation;
  readonly #chains: Chain[] = [];
  #pending = new Set<RecordedRequest>();
  #idleSinceMs = 0;
  #bornMs = 0;
  #numbered = 0;
  #incarnation = 0;

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  /** The current incarnation: 1 for the first; 0 before it. */
  get incarnation(): number {
    return this.#incarnation;
  }

  /** The time in virtual ms. */
  get nowMs(): number {
    return this.#sim.elapsedMs;
  }

  /** Whether the component waits for an answer. */
  get busy(): boolean {
    return this.#pending.size > 0;
  }

  /** Returns the next number. Requests, answers and other callers are numbered in the order of their events. */
  number(): number {
    return this.#numbered++;
  }

  /**
   * Returns a recording client for a new incarnation of the component. Pending requests of the previous one are never
   * answered.
   */
  client(client: Client): Client {
    this.#incarnation++;
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
   * Returns the time of the component's last certain read of its cache before `atMs`: it may know nothing newer. Since
   * then it has sent requests without a pause, apart from {@link THOUGHT_MS}. The requests of one worker do not show
   * when another worker started to think.
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
      incarnation: this.#incarnation,
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
