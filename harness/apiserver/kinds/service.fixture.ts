import type { Service } from '../../api/objects.ts';
import { received, said } from './kind-laws.ts';
import { service } from './service.ts';

/** A Service as a client sends it. */
export function sent(spec: object = {}, status?: object): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2024-05-01T10:00:00Z',
    },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...spec },
    ...(status ? { status } : {}),
  } as Service;
}

/** The same Service with its defaults. */
export const web = (spec: object = {}, status?: object) => received(service, sent(spec, status));

/** Returns the validation errors of a Service. */
export const causesOf = (spec: object) => said(service.validate(web(spec)));

/** The addresses that the allocator assigned. */
export const addressed = { clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7'], ipFamilies: ['IPv4'] };
