import type { AdmissionAttributes } from '../../contracts/admission/index.ts';
import { forbidden } from './plugin.ts';

/** A reason to refuse a request, from a function that does not know the request. A plugin turns it into a 403. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Returns the result of `act`. @throws StatusError Forbidden with the reason of a {@link Refusal} */
export async function refusing<T>(attributes: AdmissionAttributes, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof Refusal ? forbidden(attributes, error.message) : error;
  }
}
