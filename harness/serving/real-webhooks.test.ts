import { expect, test } from 'vitest';
import { createCluster } from '../cluster/cluster.ts';
import type { AdmissionReview, NewAdmission } from '../contracts/admission/index.ts';
import { listen } from '../mount/node.ts';
import { realClock } from '../mount/real-clock.ts';
import { servingCertificate } from '../mount/tls.ts';
import { serveCluster } from './serve-cluster.ts';

/** An admission that sends each new ConfigMap to this webhook, and refuses it with the answer. */
function asking(url: string, ca: string): NewAdmission {
  const caBundle = Buffer.from(ca).toString('base64');
  return ({ webhooks }) => ({
    admit: async ({ object }) => object,
    async validate({ resource, object }) {
      if (resource.kind !== 'ConfigMap') return;
      const review = {
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        object,
      } as AdmissionReview;
      const options = { timeoutSeconds: 10, signal: new AbortController().signal };
      throw new Error(JSON.stringify(await webhooks.send({ url, caBundle }, review, options)));
    },
  });
}

test('A served cluster calls a webhook with a URL over the real network', async () => {
  const tls = await servingCertificate({ hosts: ['localhost'], nowMs: realClock.now() });
  const echo = async (request: Request): Promise<Response> => {
    const { object } = (await request.json()) as {
      readonly object: { readonly metadata: { readonly name: string } };
    };
    return Response.json({ path: new URL(request.url).pathname, name: object.metadata.name });
  };
  await using webhook = await listen(echo, { tls });
  const { port } = new URL(webhook.url);
  const admission = asking(`https://localhost:${port}/check`, tls.ca);
  await using cluster = await createCluster({ admission });
  await using serving = await serveCluster(cluster, { callsRealWebhooks: true });
  const response = await fetch(`${serving.url}/api/v1/namespaces/default/configmaps`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'a' } }),
  });
  expect(await response.text()).toContain(
    JSON.stringify(JSON.stringify({ path: '/check', name: 'a' })).slice(1, -1),
  );
});
