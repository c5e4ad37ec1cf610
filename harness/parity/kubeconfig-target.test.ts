import { expect, test } from 'vitest';
import { listen } from '../mount/node.ts';
import { realClock } from '../mount/real-clock.ts';
import { servingCertificate } from '../mount/tls.ts';
import { kubeconfig } from '../serving/kubeconfig.ts';
import { kubeconfigTarget } from './kubeconfig-target.ts';

test('requests reach the server of the kubeconfig over HTTPS, with its credentials and their bodies', async () => {
  const tls = servingCertificate({ hosts: ['127.0.0.1'], nowMs: realClock.now() });
  const answer = async (request: Request): Promise<Response> =>
    Response.json({
      method: request.method,
      token: request.headers.get('authorization'),
      body: await request.text(),
    });
  await using server = await listen(answer, { tls });
  const target = await kubeconfigTarget(
    kubeconfig({ server: server.url, ca: tls.ca, user: { token: 'secret' } }),
  );
  const sent = async (method: string, body?: string) => {
    const response = await target.fetch(`${target.url}/x`, { method, ...(body ? { body } : {}) });
    return response.json();
  };
  const token = 'Bearer secret';
  expect(await sent('GET')).toEqual({ method: 'GET', token, body: '' });
  expect(await sent('DELETE', '{"é":1}')).toEqual({ method: 'DELETE', token, body: '{"é":1}' });
});

test('a context that the kubeconfig lacks is an error', async () => {
  const text = kubeconfig({ server: 'https://127.0.0.1:1', user: { token: 'secret' } });
  await expect(kubeconfigTarget(text, { context: 'none' })).rejects.toThrow(
    'the kubeconfig has no cluster for the context none',
  );
});
