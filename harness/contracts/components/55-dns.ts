import type { NewKubernetesDns } from '../dns.ts';
import type { Part } from './part.ts';

/** Creates CoreDNS's plugin `kubernetes`. */
export const dns: Part<NewKubernetesDns> = {
  kata: '55-dns',
  subject: 'newKubernetesDns',
};
