import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request as send } from 'node:https';
import type { LoadJob, LoadReport, LoadRequest } from './load.fixture.ts';

/** The child process of {@link prepareLoad}. */

const [job] = (await once(process, 'message')) as [LoadJob];
const { ca, connections, requests, streams } = job;
const agent = new Agent({ ca, keepAlive: true, maxSockets: connections });
/** Streams use their own connections, so they do not reduce those for the requests. */
const streaming = new Agent({ ca });

const tell = (report: LoadReport): void => void process.send?.(report);

try {
  // Opening a connection is not part of the measured load.
  await Promise.all(Array.from({ length: connections }, () => answered(job.warmUp)));
  const opened = await Promise.all(Array.from({ length: streams?.count ?? 0 }, openStream));
  tell('connected');
  await once(process, 'message');
  let next = 0;
  const client = async (): Promise<void> => {
    for (let request = requests[next++]; request; request = requests[next++]) await answered(request);
  };
  await Promise.all([...Array.from({ length: connections }, client), ...opened.map(({ ended }) => ended)]);
  tell('done');
} catch (error) {
  tell({ failed: String(error) });
}

async function answered(request: LoadRequest): Promise<void> {
  const response = await responseTo(request, agent);
  for await (const _ of response);
}

async function responseTo(
  { method, path, headers = {}, body }: LoadRequest,
  by: Agent,
): Promise<IncomingMessage> {
  const request = send(new URL(path, job.url), { method, headers, agent: by });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { statusCode = 0 } = response;
  if (statusCode >= 300) throw new Error(`${method} ${path} is answered with ${statusCode}`);
  return response;
}

/** Resolves when the first bytes arrive; `ended` resolves when all events have arrived. */
async function openStream(): Promise<{ readonly ended: Promise<void> }> {
  const { request, event, events } = streams as NonNullable<typeof streams>;
  const response = await responseTo(request, streaming);
  response.setEncoding('utf8');
  const first = once(response, 'data');
  const ended = new Promise<void>((resolve, reject) => {
    let [seen, rest] = [0, ''];
    response.on('data', (chunk: string) => {
      const parts = `${rest}${chunk}`.split(event);
      seen += parts.length - 1;
      // An event may be split between two chunks.
      rest = (parts.at(-1) as string).slice(-event.length);
      if (seen >= events) resolve();
    });
    response.on('end', () => reject(new Error(`a stream ended after ${seen} of ${events} events`)));
  });
  await first;
  return { ended };
}
