import type { NewAdmission } from '../admission/index.ts';
import type { Part } from './part.ts';

/** Changes and refuses objects on their way into the storage; a part of each apiserver. */
export const admission: Part<NewAdmission> = {
  kata: '14-admission',
  subject: 'newAdmission',
};
