import { describe, expect, test } from 'vitest';
import { type core, cri, NetworkError } from '#harness';
import { probe, runProbe } from '#kata/42-probes/probes';
import { fakeNode, probed, targetOf } from './probes.fixture.ts';

const refused = new NetworkError('ECONNREFUSED', 'dial tcp 10.244.1.2:80: connect: connection refused');
const http: core.Probe = { httpGet: { path: '/ok', port: 80 } };
const throwing = (error: unknown) => () => {
  throw error;
};

describe('Level 3 · One probe', () => {
  test('sends an HTTP request', async () => {
    const node = fakeNode({ request: () => ({ status: 503, headers: {}, body: '' }) });
    expect(await runProbe(node, targetOf(probed('liveness', http))), 'the server answered 503').toEqual({
      result: 'failure',
      output: 'HTTP probe failed with statuscode: 503',
    });
    expect(node.asked, 'the request goes to the pod IP and the port of the probe').toEqual([
      'GET http://10.244.1.2:80/ok',
    ]);
  });

  test('reports a refused HTTP connection as a failure that names the URL', async () => {
    const node = fakeNode({ request: throwing(refused) });
    expect(
      await runProbe(node, targetOf(probed('liveness', http))),
      'the connection was refused: the probe has failed, and the output names the URL',
    ).toEqual({
      result: 'failure',
      output: 'Get "http://10.244.1.2:80/ok": dial tcp 10.244.1.2:80: connect: connection refused',
    });
  });

  test('an open TCP connection is a success, a refused one a failure', async () => {
    const one = targetOf(probed('liveness', { tcpSocket: { port: 80 } }));
    expect(await runProbe(fakeNode(), one), 'a TCP connection that opens is a success').toEqual({
      result: 'success',
      output: '',
    });
    expect(
      await runProbe(fakeNode({ connect: throwing(refused) }), one),
      'a TCP connection that is refused is a failure',
    ).toEqual({
      result: 'failure',
      output: refused.message,
    });
  });

  test('connects to another host, and to a port given by its name', async () => {
    const node = fakeNode();
    const ports = [{ name: 'db', containerPort: 5432 }];
    const one = probed('liveness', { tcpSocket: { port: 'db', host: '192.168.0.9' } }, {}, { ports });
    await runProbe(node, targetOf(one));
    expect(node.asked, 'tcpSocket has its own host, and its port is the name of a container port').toEqual([
      'connect 192.168.0.9:5432',
    ]);
  });

  test('runs a command in the container, and expands its variables', async () => {
    const node = fakeNode({ exec: () => ({ stdout: 'no\n', stderr: '', exitCode: 1 }) });
    const env = [
      { name: 'DIR', value: '/' },
      { name: 'DIR', value: '/tmp' },
      { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    ];
    const command = ['ls', '$(DIR)', '[$(NODE)]', '$(NONE)', '$$(DIR)'];
    const answer = await runProbe(node, targetOf(probed('liveness', { exec: { command } }, {}, { env })));
    expect(answer, 'the command exited with 1: failure, with its output').toEqual({
      result: 'failure',
      output: 'no\n',
    });
    expect(
      node.asked,
      'the command in the container: $(VAR) is expanded from env, of two values the last counts, $$ escapes it, and unknown names stay',
    ).toEqual(['exec c1 ls /tmp [] $(NONE) $(DIR)']);
  });

  test('a command that exceeds its timeout is a failure', async () => {
    const late = new cri.CriError('DeadlineExceeded', 'timeout 3s exceeded');
    const seconds: number[] = [];
    const node = fakeNode({
      exec: (timeoutSeconds) => {
        seconds.push(timeoutSeconds);
        throw late;
      },
    });
    const one = probed('liveness', { exec: { command: ['sleep', '9'] }, timeoutSeconds: 3 });
    const answer = await runProbe(node, targetOf(one)).catch((error: unknown) => ({ thrown: error }));
    expect(
      answer,
      'exec failed with DeadlineExceeded: runProbe must return a failure, and must not throw the error',
    ).toEqual({
      result: 'failure',
      output: 'command timed out: rpc error: code = DeadlineExceeded desc = timeout 3s exceeded',
    });
    expect(seconds, 'the timeout that exec got, in seconds: timeoutSeconds').toEqual([3]);
  });

  test('throws if the command cannot run', async () => {
    const broken = new cri.CriError('Unknown', 'no such container');
    const one = targetOf(probed('liveness', { exec: { command: ['ls'] } }));
    await expect(
      runProbe(fakeNode({ exec: throwing(broken) }), one),
      'exec failed with another error: runProbe must throw it, because it says nothing about the container',
    ).rejects.toBe(broken);
  });

  test.each([
    [
      'a port name that the container lacks',
      { tcpSocket: { port: 'none' } },
      'strconv.Atoi: parsing "none": invalid syntax',
    ],
    ['no action', {}, 'missing probe handler for web'],
  ])('throws if the probe has %s', async (_, spec, message) => {
    await expect(
      runProbe(fakeNode(), targetOf(probed('liveness', spec))),
      'the probe cannot run: runProbe must throw',
    ).rejects.toThrow(message);
  });

  test('emits no event for a success', async () => {
    const node = fakeNode();
    expect(await probe(node, targetOf(probed('readiness', http))), 'the server answered 200').toBe('Success');
    expect(node.events, 'a success must emit no event').toEqual([]);
  });

  test('emits one event for a failure', async () => {
    const node = fakeNode({ request: () => ({ status: 500, headers: {}, body: 'secret' }) });
    expect(
      await probe(node, targetOf(probed('readiness', http))),
      'a failed probe has the result Failure',
    ).toBe('Failure');
    expect(
      node.asked,
      'requests: a failure is an answer; only a probe that ends in an error is retried',
    ).toHaveLength(1);
    expect(node.events, 'one event about the failure, without the body').toEqual([
      'spec.containers{web} Warning Unhealthy Readiness probe failed: HTTP probe failed with statuscode: 500',
    ]);
  });

  test('emits an event for a warning, which counts as a success', async () => {
    const node = fakeNode({ request: () => ({ status: 304, headers: {}, body: '' }) });
    expect(
      await probe(node, targetOf(probed('startup', http))),
      'the server answered 304: a warning, which counts as a success',
    ).toBe('Success');
    expect(node.events, 'one event about the warning').toEqual([
      'spec.containers{web} Warning ProbeWarning Startup probe warning: Probe terminated redirects, Response body: ',
    ]);
  });

  test('tries three times if the probe ends in an error, and emits one event', async () => {
    const node = fakeNode({ exec: throwing(new cri.CriError('Unknown', 'broken')) });
    expect(
      await probe(node, targetOf(probed('liveness', { exec: { command: ['ls'] } }))),
      'a probe that ends in an error has no result',
    ).toBeUndefined();
    expect(node.asked, 'a probe that ends in an error is tried three times').toHaveLength(3);
    expect(node.events, 'one event, after the last try').toEqual([
      'spec.containers{web} Warning Unhealthy Liveness probe errored and resulted in unknown state: rpc error: code = Unknown desc = broken',
    ]);
  });

  test('reports the error of the last try', async () => {
    let tries = 0;
    const node = fakeNode({
      exec: () => {
        throw new cri.CriError('Unknown', `broken ${++tries}`);
      },
    });
    await probe(node, targetOf(probed('liveness', { exec: { command: ['ls'] } })));
    expect(
      node.events,
      'the errors of the three tries were "broken 1", "broken 2", "broken 3": the event has the last',
    ).toEqual([
      'spec.containers{web} Warning Unhealthy Liveness probe errored and resulted in unknown state: rpc error: code = Unknown desc = broken 3',
    ]);
  });

  test('succeeds when a later try succeeds', async () => {
    let tries = 0;
    const node = fakeNode({
      exec: () => {
        if (++tries < 3) throw new cri.CriError('Unknown', 'broken');
        return { stdout: '', stderr: '', exitCode: 0 };
      },
    });
    expect(
      await probe(node, targetOf(probed('liveness', { exec: { command: ['ls'] } }))),
      'the third try succeeded',
    ).toBe('Success');
    expect(node.events, 'no event, because the probe succeeded in the end').toEqual([]);
  });
});
