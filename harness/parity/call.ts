import { linesOf } from '../client/json-lines.ts';
import { compare, Difference, type Mismatch, matches, show, Undecided, valueAt } from './expectation.ts';
import type { Target } from './target.ts';

/** An answer of the apiserver. */
export class Answer {
  readonly code: number;
  /** The parsed JSON; the text if it is something else. */
  readonly body: unknown;
  readonly headers: Headers;

  constructor(code: number, body: unknown, headers: Headers) {
    this.code = code;
    this.body = body;
    this.headers = headers;
  }

  /** Returns the text at a path of the body: `metadata.uid`. */
  at(path: string): string {
    return String(valueAt(this.body, path));
  }
}

/** Parts of a request that have no place in its path. */
export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON, or unchanged if it is text. */
  readonly body?: unknown;
  /** @defaultValue `application/json` */
  readonly contentType?: string;
  /** @defaultValue `application/json` */
  readonly accept?: string;
}

/** The expected end of a wait. */
export interface Within {
  /** The longest wait, in seconds of the cluster. @defaultValue 180 */
  readonly seconds?: number;
  /** A result that excludes the awaited result. */
  readonly never?: unknown;
}

/** Long enough for a busy cluster that still has to pull an image. */
const WAIT_SECONDS = 180;

/** The interval between two requests grows from the first to the second, in ms of the cluster. */
const ASK_MS = { first: 100, longest: 1_000, growth: 1.4 };

/** A request. It is sent when a method says what must come of it. */
export class Call {
  readonly #target: Target;
  readonly #method: string;
  readonly #path: string;
  readonly #options: CallOptions;

  constructor(target: Target, method: string, path: string, options: CallOptions = {}) {
    this.#target = target;
    this.#method = method;
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) query.set(name, String(value));
    }
    this.#path = query.size > 0 ? `${path}?${query}` : path;
    this.#options = options;
  }

  /** Sends the request. Resolves with any answer. */
  async sent(): Promise<Answer> {
    const response = await this.#send();
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return new Answer(response.status, isJson ? JSON.parse(text) : text, response.headers);
  }

  /** Sends the request. @throws Difference if the answer has another code or its body does not match */
  async answers(code: number, body?: unknown): Promise<Answer> {
    const answer = await this.sent();
    const mismatches = this.#compare({ code, body }, answer);
    if (mismatches.length > 0) throw new Difference(this.#name, mismatches);
    return answer;
  }

  /**
   * Sends the request. @throws Difference if the server does not reject it with this code and a Status of this message
   * and reason
   */
  refused(code: number, message: string | RegExp, status: object = {}): Promise<Answer> {
    return this.answers(code, { kind: 'Status', status: 'Failure', code, message, ...status });
  }

  /**
   * Repeats the request until its body matches. Resolves with the answer.
   *
   * @throws Difference after a result that excludes the awaited result. Undecided if time runs out
   */
  becomes(body: unknown, within: Within = {}): Promise<Answer> {
    return this.#until({ code: 200, body }, within);
  }

  /** Repeats the request until the server answers that the object does not exist. @throws Undecided */
  async goes(within: Within = {}): Promise<void> {
    await this.#until({ code: 404, body: undefined }, within);
  }

  /** Repeats the request for this time of the cluster. @throws Difference if an answer does not match */
  async stays(body: unknown, seconds: number): Promise<void> {
    const { clock } = this.#target;
    const endMs = clock.now() + seconds * 1_000;
    while (clock.now() < endMs) {
      await this.answers(200, body);
      await clock.sleep(ASK_MS.longest);
    }
    await this.answers(200, body);
  }

  /**
   * Opens a stream of events. Leave it with `await using`.
   *
   * @throws Difference if the server rejects the request
   */
  async streams(): Promise<EventStream> {
    const connection = new AbortController();
    const response = await this.#send(connection.signal);
    if (response.status !== 200 || !response.body) {
      const observed = `${response.status} (${show(await response.text())})`;
      throw new Difference(this.#name, [{ path: 'code', expected: '200', observed }]);
    }
    return new EventStream(this.#name, this.#target, { body: response.body, connection });
  }

  get #name(): string {
    return `${this.#method} ${this.#path}`;
  }

  async #until(
    expected: { readonly code: number; readonly body: unknown },
    { seconds = WAIT_SECONDS, never }: Within,
  ): Promise<Answer> {
    const { clock } = this.#target;
    const endMs = clock.now() + seconds * 1_000;
    let waitMs = ASK_MS.first;
    for (;;) {
      const answer = await this.sent();
      const mismatches = this.#compare(expected, answer);
      if (mismatches.length === 0) return answer;
      if (never !== undefined && matches(never, answer.body)) throw new Difference(this.#name, mismatches);
      if (clock.now() >= endMs) throw new Undecided(this.#name, mismatches);
      await clock.sleep(waitMs);
      waitMs = Math.min(waitMs * ASK_MS.growth, ASK_MS.longest);
    }
  }

  #compare(
    { code, body }: { readonly code: number; readonly body: unknown },
    answer: Answer,
  ): readonly Mismatch[] {
    if (code === answer.code) return body === undefined ? [] : compare(body, answer.body);
    const message = valueAt(answer.body, 'message') ?? answer.body;
    return [{ path: 'code', expected: show(code), observed: `${answer.code} (${show(message)})` }];
  }

  #send(signal?: AbortSignal): Promise<Response> {
    const { body, contentType = 'application/json', accept = 'application/json' } = this.#options;
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    return this.#target.fetch(`${this.#target.url}${this.#path}`, {
      method: this.#method,
      headers: { Accept: accept, ...(text === undefined ? {} : { 'Content-Type': contentType }) },
      ...(text === undefined ? {} : { body: text }),
      ...(signal ? { signal } : {}),
    });
  }
}

interface StreamParts {
  readonly body: Response['body'] & {};
  /** Closes the stream. */
  readonly connection: AbortController;
}

/** The events of a watch, in order. */
export class EventStream implements AsyncDisposable {
  readonly #subject: string;
  readonly #target: Target;
  readonly #connection: AbortController;
  readonly #events: AsyncGenerator<unknown, void>;

  constructor(subject: string, target: Target, { body, connection }: StreamParts) {
    this.#subject = subject;
    this.#target = target;
    this.#connection = connection;
    this.#events = eventsOf(body);
  }

  /**
   * Reads one event for each of these expectations.
   *
   * @throws Difference if an event does not match, or the stream ends. Undecided if an event does not come in time
   */
  async brings(...expected: readonly unknown[]): Promise<void> {
    for (const one of expected) {
      const next = await this.#next();
      const mismatches = compare(one, next, 'event');
      if (mismatches.length > 0) throw new Difference(this.#subject, mismatches);
    }
  }

  /** Resolves when the server has ended the stream. @throws Difference if another event comes first */
  async ends(): Promise<void> {
    const next = await this.#next();
    if (next !== END) throw new Difference(this.#subject, compare(END, next, 'event'));
  }

  async #next(): Promise<unknown> {
    const waiting = new AbortController();
    const late = this.#target.clock.sleep(WAIT_SECONDS * 1_000, waiting.signal).then(
      () => LATE,
      () => LATE,
    );
    const next = this.#events.next().then(({ done, value }) => (done ? END : value));
    const first = await Promise.race([next, late]);
    waiting.abort();
    if (first !== LATE) return first;
    throw new Undecided(this.#subject, compare('an event', undefined, 'event'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.abort();
    // The abort fails the pending read.
    await this.#events.return().catch(() => {});
  }
}

const END = 'the end of the stream';
const LATE = Symbol('late');

async function* eventsOf(body: StreamParts['body']): AsyncGenerator<unknown, void> {
  for await (const lines of linesOf(body.getReader())) {
    for (const line of lines) yield JSON.parse(line);
  }
}
