import { describe, expect, test } from 'vitest';
import { clusterOptions } from './cluster-options.ts';

describe('npm run cluster --', () => {
  test('listens on this machine, with TLS, on a free port', () => {
    expect(clusterOptions([])).toEqual({
      alone: false,
      host: '127.0.0.1',
      port: 0,
      http: false,
      nodes: 3,
      speed: 1,
      mine: false,
      anyImage: false,
      trace: false,
      kubeconfig: undefined,
      save: undefined,
      load: undefined,
      tokenAuthFile: undefined,
      etcd: undefined,
    });
  });

  test('reads every option', () => {
    const words =
      '--mine --any-image --trace --http --nodes 5 --speed=0.5 --port 6443 --save a --load b --kubeconfig c --token-auth-file d';
    expect(clusterOptions(words.split(' '))).toMatchObject({
      mine: true,
      anyImage: true,
      trace: true,
      http: true,
      nodes: 5,
      speed: 0.5,
      port: 6443,
      save: 'a',
      load: 'b',
      kubeconfig: 'c',
      tokenAuthFile: 'd',
    });
  });

  test('reads the address of etcd, and the names of files as kube-apiserver does', () => {
    const words = [
      '--etcd',
      'https://[::1]:2379',
      '--etcd-cafile',
      'a',
      '--etcd-certfile',
      'b',
      '--etcd-keyfile',
      'c',
    ];
    expect(clusterOptions(words).etcd).toEqual({
      url: 'https://[::1]:2379',
      cafile: 'a',
      certfile: 'b',
      keyfile: 'c',
    });
    expect(() => clusterOptions(['--etcd', '127.0.0.1:2379'])).toThrow(
      '--etcd 127.0.0.1:2379 is not an address',
    );
    expect(() => clusterOptions(['--etcd', 'http://a', '--load', 'b'])).toThrow(
      '--etcd and --load both name the objects',
    );
  });

  test.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1'])('listens at %s', (host) => {
    expect(clusterOptions(['--host', host])).toMatchObject({ host });
  });

  test.each(['0.0.0.0', '::', '192.168.0.5', 'example.com', '127.evil.com'])(
    'does not listen at %s without --allow-remote',
    (host) => {
      expect(() => clusterOptions(['--host', host])).toThrow(/reachable from other machines.*--allow-remote/);
      expect(clusterOptions(['--host', host, '--allow-remote'])).toMatchObject({ host });
    },
  );

  test.each([
    [['--nodes', '0'], '--nodes 0 is not a whole number from 1 to 100'],
    [['--nodes', '1.5'], '--nodes 1.5 is not a whole number from 1 to 100'],
    [['--speed', 'fast'], '--speed fast is not a number from 0.001 to 1000'],
    [['--port', ''], '--port  is not a whole number from 0 to 65535'],
    [['--nope'], "unknown option '--nope'"],
    [['--port'], "option '--port <value>' argument missing"],
    [['web.yaml'], "unexpected argument 'web.yaml'"],
  ])('rejects %j', (words, why) => {
    expect(() => clusterOptions(words)).toThrow(`Failed to start the cluster: ${why}. Type npm run cluster`);
  });
});
