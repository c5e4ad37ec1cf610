import http from 'node:http';
import https from 'node:https';

/** The certificates of a connection, in PEM. */
export interface GatewayOptions {
  /** The authority of etcd's certificate. @defaultValue those of this machine */
  readonly ca?: string;
  /** The certificate of the client and its key. @defaultValue none */
  readonly cert?: string;
  readonly key?: string;
}

/** An error that etcd answered, or a connection that failed. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError';
}

/** A stream of both directions: answers come as they are read. */
export interface GatewayStream extends AsyncIterable<string> {
  send(message: object): void;
  close(): void;
}

/**
 * The JSON gateway of an etcd: each call of gRPC is a POST.
 *
 * Upstream: etcd-io/etcd@v3.4.23 Documentation/dev-guide/api_grpc_gateway.md
 */
export class Gateway {
  readonly #url: URL;
  readonly #client: typeof http | typeof https;
  readonly #agent: http.Agent;
  readonly #options: GatewayOptions;

  /** @param url `http://127.0.0.1:2379` */
  constructor(url: string, options: GatewayOptions = {}) {
    this.#url = new URL(url);
    this.#client = this.#url.protocol === 'https:' ? https : http;
    this.#agent = new this.#client.Agent({ keepAlive: true, ...options });
    this.#options = options;
  }

  /** Sends a call. @throws EtcdError with the words of etcd, or those of the failed connection */
  async call<T>(path: string, message: object): Promise<T> {
    const body = JSON.stringify(message);
    const response = await this.#request(
      path,
      this.#agent,
      { 'content-length': Buffer.byteLength(body) },
      body,
    );
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    const answer = JSON.parse(text);
    if (response.statusCode === 200) return answer as T;
    throw new EtcdError(answer.message ?? answer.error ?? text);
  }

  /** Opens a stream with its first message. Iterates over the lines of the answer. It ends when the connection fails. */
  stream(path: string, first: object): GatewayStream {
    // A server in Go reads the whole body before it answers, unless it closes the connection afterwards.
    const request = this.#open(path, false, { connection: 'close' });
    const answer = new Promise<http.IncomingMessage | undefined>((resolve) => {
      request.once('response', resolve);
      request.once('error', () => resolve(undefined));
      request.once('close', () => resolve(undefined));
    });
    const send = (message: object): void => {
      if (!request.destroyed) request.write(`${JSON.stringify(message)}\n`);
    };
    send(first);
    return {
      send,
      close: () => void request.destroy(),
      [Symbol.asyncIterator]: () => linesOf(answer),
    };
  }

  /** Closes idle connections. */
  close(): void {
    this.#agent.destroy();
  }

  #request(
    path: string,
    agent: http.Agent,
    headers: http.OutgoingHttpHeaders,
    body: string,
  ): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = this.#open(path, agent, headers);
      request.once('response', resolve);
      request.once('error', ({ message }) => reject(new EtcdError(message)));
      request.end(body);
    });
  }

  #open(path: string, agent: http.Agent | false, headers: http.OutgoingHttpHeaders): http.ClientRequest {
    return this.#client.request(new URL(path, this.#url), {
      method: 'POST',
      agent,
      headers: { 'content-type': 'application/json', ...headers },
      ...this.#options,
    });
  }
}

async function* linesOf(answer: Promise<http.IncomingMessage | undefined>): AsyncGenerator<string, void> {
  const response = await answer;
  if (!response) return;
  let rest = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() as string;
      for (const line of lines) if (line) yield line;
    }
  } catch {
    // The connection failed: the stream ends.
  }
}
