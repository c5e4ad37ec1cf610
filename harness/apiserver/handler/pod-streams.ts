import { errors } from '../../api/status.ts';
import { bytesOfText } from '../../contracts/node/index.ts';
import { admitStreams } from './connect.ts';
import type { Call, Endpoints } from './endpoint.ts';
import { logOptions } from './log-options.ts';
import { passedOn, podTarget } from './pod-target.ts';

/**
 * `…/pods/web-1/log`: the text of a container's log.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/core/pod/rest/log.go LogREST
 */
export const log: Endpoints = {
  get: async (call) => {
    const options = logOptions(call.query, call.name);
    const { kubelet, ...of } = await podTarget(call);
    // A pod without a node has no log.
    if (!kubelet) return text(undefined);
    const { signal } = call.request;
    try {
      return text(await kubelet.containerLogs(of, options, signal));
    } catch (error) {
      throw passedOn(error);
    }
  },
};

/** Requests with an upgrade go to {@link createUpgradeHandler}. */
export const exec: Endpoints = withoutUpgrade('exec');
export const attach: Endpoints = withoutUpgrade('attach');
export const portforward: Endpoints = withoutUpgrade('portforward');

/**
 * `…/pods/web-1/exec`, `attach` and `portforward`, requested without an upgrade of the connection.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/proxy/upgradeaware.go UpgradeAwareHandler.ServeHTTP
 */
function withoutUpgrade(subresource: string): Endpoints {
  const refuse = async (call: Call): Promise<never> => {
    await admitStreams(call, subresource);
    throw errors.badRequest('Upgrade request required');
  };
  return { get: refuse, create: refuse };
}

function text(chunks: AsyncIterable<string> | undefined): Response {
  const headers = { 'Content-Type': 'text/plain', 'Cache-Control': 'no-cache, private' };
  return new Response(chunks ? streamOf(chunks) : '', { headers });
}

function streamOf(chunks: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(bytesOfText(value));
    },
    cancel: async () => void (await iterator.return?.()),
  });
}
