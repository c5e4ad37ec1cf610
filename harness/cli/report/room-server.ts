import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Room } from './room.ts';
import { roomPage } from './room-page.ts';
import { BadUpload, parseUpload } from './upload.ts';

/** The path that takes reports. */
export const REPORTS = '/reports';

/** The largest body of an upload, in bytes. The report of a workbook with 12 katas has 24,000. */
export const BODY_BYTES_MAX = 250_000;

/** A request to a room. */
interface RoomRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

/** The answer of a room. */
interface RoomAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** A room that answers requests. */
interface RoomHost {
  readonly room: Room;
  readonly title: () => string;
  /** Returns the time, in ms since 1970. */
  readonly nowMs: () => number;
  /** Runs after a report that changes a row. */
  readonly onChange: () => void;
}

/**
 * Answers a request: `GET /` with a page, `POST /reports` with 204 after the report was taken. An upload that is not a report gets
 * 400 and a sentence. Nothing of an upload reaches the disk.
 */
export function answer(request: RoomRequest, { room, title, nowMs, onChange }: RoomHost): RoomAnswer {
  const { method, path, contentType, body } = request;
  if (path === '/') {
    if (method !== 'GET' && method !== 'HEAD')
      return sentence(405, `This page can only be read. Reports go to ${REPORTS}.`);
    return {
      status: 200,
      contentType: 'text/html; charset=utf-8',
      text: roomPage(title(), room.rowsAt(nowMs())),
    };
  }
  if (path !== REPORTS) return sentence(404, `This room has only / and ${REPORTS}.`);
  if (method !== 'POST') return sentence(405, `${REPORTS} takes only POST.`);
  // A browser cannot send this type to another site without asking first.
  if (!/^application\/json\b/i.test(contentType))
    return sentence(415, 'A report has the type application/json.');
  try {
    const { participant, report } = parseUpload(body);
    const changed = room.receive(participant, report, nowMs());
    if (changed === undefined) return sentence(503, 'This room is full.');
    if (changed) onChange();
    return { status: 204, contentType: '', text: '' };
  } catch (error) {
    if (error instanceof BadUpload) return sentence(400, error.message);
    throw error;
  }
}

/**
 * Serves a room.
 *
 * @param address the interface and the port; port 0 means any free port
 * @returns the server, which listens
 * @throws Error of the system when the port cannot be used
 */
export async function serveRoom(
  host: RoomHost,
  address: { readonly host: string; readonly port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    respond(request, response, host).catch(() => response.destroy());
  });
  // A participant sends a report at once. A slow sender must not hold a connection.
  server.headersTimeout = 10_000;
  server.requestTimeout = 20_000;
  server.maxConnections = 1_000;
  server.listen(address.port, address.host);
  await once(server, 'listening');
  return server;
}

/** Returns the port of a server that listens. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function respond(request: IncomingMessage, response: ServerResponse, host: RoomHost): Promise<void> {
  const body = await bodyOf(request);
  const { status, contentType, text } =
    body === undefined
      ? sentence(413, `A report has at most ${BODY_BYTES_MAX} bytes.`)
      : answer(
          {
            method: request.method ?? '',
            path: (request.url ?? '').split('?')[0] ?? '',
            contentType: request.headers['content-type'] ?? '',
            body,
          },
          host,
        );
  response.writeHead(status, {
    ...(contentType === '' ? {} : { 'content-type': contentType }),
    ...(body === undefined ? { connection: 'close' } : {}),
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
}

/** Returns the body as text; undefined if it is too large. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The connection stays open for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sentence(status: number, text: string): RoomAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', text: `${text}\n` };
}
