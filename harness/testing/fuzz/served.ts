import { setImmediate as turn } from 'node:timers/promises';
import type { KubeObject, New } from '../../api/objects.ts';
import { namespaces } from '../../api/resource.ts';
import { ApiServer, type ApiServerOptions } from '../../apiserver/apiserver.ts';
import { createHandler } from '../../apiserver/handler/handler.ts';
import type { FetchHandler } from '../../mount/fetch.ts';
import { seededRandom } from '../../sim/index.ts';
import { ManualClock } from '../manual-clock.ts';
import type { FuzzRequest } from './request.ts';

/** The answer to a request. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** A handler in front of a separate apiserver. Time passes only while a request waits for it. */
export class Served {
  readonly clock = new ManualClock();
  readonly server: ApiServer;
  readonly #handler: FetchHandler;

  private constructor(options: Pick<ApiServerOptions, 'trackOnCreate'>) {
    this.server = new ApiServer({ clock: this.clock, random: seededRandom(1), ...options });
    this.#handler = createHandler(this.server);
  }

  /** Starts an apiserver with the namespaces `default` and `kube-system`. */
  static async start(options: Pick<ApiServerOptions, 'trackOnCreate'> = {}): Promise<Served> {
    const served = new Served(options);
    for (const name of ['default', 'kube-system'])
      await served.server.create(namespaces, { metadata: { name } } as New<KubeObject> as never);
    return served;
  }

  /**
   * Sends a request and reads the answer; for a watch, the events that arrive at once. @throws any error of the handler
   */
  async send({ method, path, headers, body, encoding }: FuzzRequest): Promise<Answer> {
    const request = new Request(`http://apiserver.test${path}`, {
      method,
      headers: headersOf(headers),
      ...(body === undefined ? {} : { body: Buffer.from(body, encoding) }),
    });
    const response = await this.#waitFor(this.#handler(request));
    const contentType = response.headers.get('content-type') ?? '';
    const bytes = await this.#bytesOf(response);
    return { status: response.status, contentType, text: bytes.toString(), bytes };
  }

  /** Some requests wait for a revision that never comes, until their timeout. */
  async #waitFor<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const done = (): void => {
      settled = true;
    };
    promise.then(done, done);
    for (let turns = 0; !settled && turns < TURNS_MAX; turns++) {
      await turn();
      if (!settled && turns > 8) this.clock.advance(1_000);
    }
    if (!settled) throw new Error('the request is never answered');
    return promise;
  }

  async #bytesOf(response: Response): Promise<Buffer> {
    const reader = response.body?.getReader();
    const chunks: Uint8Array[] = [];
    for (let turns = 0; reader; turns++) {
      const next = await Promise.race([reader.read(), turn(undefined)]);
      if (next?.done) break;
      if (next?.value) chunks.push(next.value);
      // A stream without further data may stay open forever.
      else if (turns > 2) {
        await reader.cancel();
        break;
      }
    }
    return Buffer.concat(chunks);
  }
}

const TURNS_MAX = 1_000;

/** A header consists of bytes, and `Headers` takes one byte per character. */
function headersOf(headers: Readonly<Record<string, string>>): Headers {
  return new Headers(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  );
}
