import { describe, expect, test } from 'vitest';
import type * as core from '#api/core/v1';
import type { Pod } from '../api/objects.ts';
import { errors } from '../api/status.ts';
import type { Client } from '../contracts/client.ts';
import { makeEnvironmentVariables } from './environment.ts';

const objects: Readonly<Record<string, { data: Record<string, string> }>> = {
  settings: { data: { color: 'red', size: '3' } },
  keys: { data: { token: Buffer.from('s3cret').toString('base64') } },
};
const client = {
  get: async (resource: never, { name }: { name: string }) => {
    const found = objects[name];
    if (!found) throw errors.notFound(resource, name);
    return found;
  },
} as unknown as Client;

function variables(
  container: Partial<core.Container>,
  services: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  const main = {
    name: 'main',
    resources: { limits: { memory: '64Mi' }, requests: { cpu: '1500m' } },
    ...container,
  };
  const metadata = { name: 'web', namespace: 'shop', uid: 'u1', labels: { app: 'web' } };
  const pod = { metadata, spec: { nodeName: 'node-1', containers: [main] }, status: {} } as unknown as Pod;
  const options = { client, ips: ['10.244.1.2'], hostIP: '192.168.0.1', allocatable: { cpu: '4' }, services };
  return makeEnvironmentVariables(pod, main, options);
}

const from = (valueFrom: core.EnvVarSource) => variables({ env: [{ name: 'A', valueFrom }] });

describe('The environment variables of a container', () => {
  test('can refer to earlier variables', async () => {
    const env = [
      { name: 'HOST', value: 'db' },
      { name: 'URL', value: 'http://$(HOST):80/$(PATH)?$$(HOST)' },
    ];
    expect(await variables({ env })).toEqual({ HOST: 'db', URL: 'http://db:80/$(PATH)?$(HOST)' });
  });

  test('can refer to the variables of Services, and override them', async () => {
    const env = [
      { name: 'URL', value: 'http://$(DB_SERVICE_HOST)' },
      { name: 'DB_PORT', value: '1' },
    ];
    expect(await variables({ env }, { DB_SERVICE_HOST: '10.96.0.9', DB_PORT: '80' })).toEqual({
      URL: 'http://10.96.0.9',
      DB_PORT: '1',
      DB_SERVICE_HOST: '10.96.0.9',
    });
  });

  test.each([
    ['metadata.name', 'web'],
    ["metadata.labels['app']", 'web'],
    ["metadata.labels['constructor']", ''],
    ['spec.nodeName', 'node-1'],
    ['status.podIP', '10.244.1.2'],
    ['status.hostIP', '192.168.0.1'],
  ])('take %s from the pod', async (fieldPath, value) => {
    expect(await from({ fieldRef: { fieldPath } })).toEqual({ A: value });
  });

  test.each([
    ['limits.memory', '1Mi', '64'],
    ['requests.cpu', '1', '2'],
    ['limits.cpu', '1m', '4000'],
  ])('take %s from the resources, in units of %s', async (resource, divisor, value) => {
    expect(await from({ resourceFieldRef: { resource, divisor } })).toEqual({ A: value });
  });

  test('are taken from ConfigMaps and Secrets, one key or all keys', async () => {
    expect(await from({ configMapKeyRef: { name: 'settings', key: 'color' } })).toEqual({ A: 'red' });
    expect(await from({ secretKeyRef: { name: 'keys', key: 'token' } })).toEqual({ A: 's3cret' });
    const envFrom = [{ prefix: 'S_', configMapRef: { name: 'settings' } }];
    expect(await variables({ envFrom })).toEqual({ S_color: 'red', S_size: '3' });
  });

  test('cannot be created if a reference is missing', async () => {
    await expect(from({ configMapKeyRef: { name: 'settings', key: 'none' } })).rejects.toThrow(
      "couldn't find key none in ConfigMap shop/settings",
    );
    await expect(from({ secretKeyRef: { name: 'none', key: 'token' } })).rejects.toThrow(
      'secret "none" not found',
    );
  });

  test('are omitted if a reference is optional and missing', async () => {
    expect(await from({ configMapKeyRef: { name: 'none', key: 'a', optional: true } })).toEqual({});
    expect(await from({ secretKeyRef: { name: 'keys', key: 'none', optional: true } })).toEqual({});
  });
});
