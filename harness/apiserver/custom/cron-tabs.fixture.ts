import { expect } from 'vitest';
import { namespaces } from '../../api/resource.ts';
import { Simulation, seededRandom } from '../../sim/index.ts';
import { ApiServer, type ApiServerOptions } from '../apiserver.ts';
import { createHandler } from '../handler/handler.ts';

/** Returns a definition of the kind CronTab, whose objects contain a schedule and an image. */
export const definition = (
  versions: readonly object[] = [version('v1', true)],
  names: object = {},
  spec: object = {},
) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'crontabs.stable.example.com' },
  spec: {
    group: 'stable.example.com',
    scope: 'Namespaced',
    names: { plural: 'crontabs', kind: 'CronTab', shortNames: ['ct'], categories: ['all'], ...names },
    versions,
    ...spec,
  },
});

/** Returns a version of the kind with a status and a scale. */
export const version = (name: string, storage: boolean, more: object = {}) => ({
  name,
  served: true,
  storage,
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  additionalPrinterColumns: [{ name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' }],
  schema: { openAPIV3Schema: schemaOfSpec(SPEC) },
  ...more,
});

/** Returns the schema of an object with this spec. */
export const schemaOfSpec = (spec: object) => ({
  type: 'object',
  properties: {
    spec,
    status: { type: 'object', properties: { replicas: { type: 'integer' } } },
  },
});

const SPEC = {
  type: 'object',
  description: 'When to run what.',
  required: ['cronSpec'],
  properties: {
    cronSpec: { type: 'string', pattern: '^\\S+$' },
    image: { type: 'string', default: 'busybox' },
    replicas: { type: 'integer', minimum: 1, maximum: 10 },
    env: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, value: { type: 'string' } },
      },
    },
  },
};

/** Returns a version whose spec has this schema, without subresources. */
export const versionOfSpec = (spec: object, more: object = {}) =>
  version('v1', true, {
    subresources: undefined,
    additionalPrinterColumns: undefined,
    schema: { openAPIV3Schema: schemaOfSpec(spec) },
    ...more,
  });

/** Returns an object with the name `mine`. */
export const tab = (spec: object = {}) => ({
  apiVersion: 'stable.example.com/v1',
  kind: 'CronTab',
  metadata: { name: 'mine' },
  spec: { cronSpec: '*', ...spec },
});

export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const DEFINITION = `${DEFINITIONS}/crontabs.stable.example.com`;
export const TABS = '/apis/stable.example.com/v1/namespaces/default/crontabs';

/** The body of an error for an unserved path is plain text. */
const parsed = (text: string): unknown => (text.startsWith('{') ? JSON.parse(text) : text);

/** Starts an apiserver behind HTTP. */
export async function served(options: Pick<ApiServerOptions, 'webhooks'> = {}) {
  const sim = new Simulation();
  const server = new ApiServer({ clock: sim.clock, random: seededRandom(1), ...options });
  await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  const handler = createHandler(server);
  // biome-ignore lint/suspicious/noExplicitAny: answers have any type, and each test checks the fields that it reads
  const send = async (method: string, path: string, body?: unknown, headers: object = {}): Promise<any> => {
    const response = await handler(
      new Request(`http://apiserver.test${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    return {
      code: response.status,
      body: parsed(await response.text()),
      warning: response.headers.get('Warning'),
    };
  };
  const settle = () => sim.run({ forMs: 1 });
  return { server, send, settle, sim };
}

/** Starts an apiserver with an established definition of CronTab. */
export async function withCronTabs(...of: Parameters<typeof definition>) {
  const world = await served();
  const { code, body } = await world.send('POST', DEFINITIONS, definition(...of));
  expect(code, JSON.stringify(body)).toBe(201);
  await world.settle();
  return world;
}

/** Returns the validation errors of a posted definition. */
export async function toldOf(sent: object): Promise<readonly string[]> {
  const { send } = await served();
  const { code, body } = await send('POST', DEFINITIONS, sent);
  if (code === 201) return [];
  const causes: { field: string; message: string }[] = body.details?.causes ?? [];
  return causes.length > 0 ? causes.map(({ field, message }) => `${field}: ${message}`) : [body.message];
}
