import type { ManagedFieldsEntry } from '#api/meta/v1';
import type { Deployment, KubeObject } from '../../api/objects.ts';
import { deployments } from '../../api/resource.ts';
import { StatusError } from '../../api/status.ts';
import type { PatchOptions } from '../../contracts/client.ts';
import { pathsOf } from '../apply/field-set.ts';
import { decodeFields } from '../apply/fields-v1.ts';
import { pathText } from '../apply/path-element.ts';
import { key, world } from './replicas.fixture.ts';

interface Config {
  readonly replicas?: number;
  readonly image?: string;
  readonly labels?: Record<string, string>;
  readonly env?: readonly { name: string; value?: string }[];
  readonly ports?: readonly { containerPort: number; protocol?: string }[];
}

/** Returns the configuration of a Deployment with the given fields. */
export function web({ replicas, image = 'nginx:1.25', labels, env, ports }: Config = {}): object {
  const container = { name: 'main', image, ...(env ? { env } : {}), ...(ports ? { ports } : {}) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...key('web'), ...(labels ? { labels } : {}) },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
    },
  };
}

/** Starts an apiserver and returns functions that apply a Deployment to it. */
export async function applying(options: Parameters<typeof world>[0] = {}) {
  const { server, sim } = await world(options);
  const apply = (fieldManager: string, body: object, options: PatchOptions = {}): Promise<Deployment> =>
    server.patch(deployments, key('web'), { type: 'apply', body }, { fieldManager, ...options });
  const later = (seconds: number) => sim.run({ forMs: seconds * 1000 });
  return { server, apply, later };
}

/** Returns code, reason and message of a rejected request. */
export async function refusal(asked: Promise<unknown>): Promise<[number, string, string]> {
  const error = await asked.catch((thrown: unknown) => thrown);
  if (!(error instanceof StatusError)) throw new Error('it was not refused', { cause: error });
  return [error.code, error.reason, error.message];
}

/** Returns the owned fields by manager, operation and subresource. */
export function ownersOf({ metadata }: KubeObject): Record<string, readonly string[]> {
  return Object.fromEntries(
    (metadata.managedFields ?? []).map((entry) => [nameOf(entry), fieldsOf(entry)] as const),
  );
}

const nameOf = ({ manager, operation, subresource = '' }: ManagedFieldsEntry): string =>
  `${manager} ${operation}${subresource ? ` /${subresource}` : ''}`;

const fieldsOf = ({ fieldsV1 }: ManagedFieldsEntry): readonly string[] =>
  [...pathsOf(decodeFields(fieldsV1))].map(pathText);

/** The path of the container of {@link web}. */
export const CONTAINER = '.spec.template.spec.containers[name="main"]';
/** The fields that {@link web} sets by default. */
export const APPLIED = [
  '.spec.selector',
  '.spec.template.metadata.labels.app',
  CONTAINER,
  `${CONTAINER}.image`,
  `${CONTAINER}.name`,
];
