import { describe, expect, test } from 'vitest';
import { NetworkError } from '#harness';
import { checkHealth, runProbe } from '#kata/42-probes/probes';
import { fakeNode, probed, targetOf } from './probes.fixture.ts';

const one = (timeoutSeconds: number) =>
  targetOf(probed('liveness', { grpc: { port: 50_051 }, timeoutSeconds }));

describe('Level 11 ★ · gRPC', () => {
  test('checks the health of the server at the pod IP', async () => {
    const node = fakeNode();
    expect(await runProbe(node, one(2)), 'the server answered SERVING').toEqual({
      result: 'success',
      output: 'service healthy',
    });
    expect(
      node.asked,
      'the health check goes to the pod IP and the port of the probe, with timeoutSeconds',
    ).toEqual(['check  at 10.244.1.2:50051 within 2000']);
  });

  test('checks the health of one service', async () => {
    const node = fakeNode();
    await checkHealth(node, one(1), { port: 9, service: 'db' });
    expect(node.asked, 'the health check names the service of the probe').toEqual([
      'check db at 10.244.1.2:9 within 1000',
    ]);
  });

  test.each(['NOT_SERVING', 'UNKNOWN', 'SERVICE_UNKNOWN'] as const)('%s is a failure', async (status) => {
    expect(
      await runProbe(fakeNode({ health: async () => status }), one(1)),
      `the server answered ${status}: only SERVING is a success`,
    ).toEqual({
      result: 'failure',
      output: `service unhealthy (responded with "${status}")`,
    });
  });

  test('a server that does not answer in time is a failure', async () => {
    const health = async () => {
      throw new NetworkError('ETIMEDOUT', 'context deadline exceeded');
    };
    expect(
      await runProbe(fakeNode({ health }), one(90)),
      'the server did not answer within timeoutSeconds: the probe has failed',
    ).toEqual({
      result: 'failure',
      output: 'timeout: health rpc did not complete within 1m30s',
    });
  });

  test('throws if the check itself fails', async () => {
    const health = async () => {
      throw new Error('out of sockets');
    };
    await expect(
      runProbe(fakeNode({ health }), one(1)),
      'the kubelet itself could not connect: runProbe must throw, because this says nothing about the container',
    ).rejects.toThrow('out of sockets');
  });
});
