import type { KubeObject, New } from '../api/objects.ts';
import type { Resource } from '../api/resource.ts';
import { isAlreadyExists } from '../api/status.ts';
import type { Client } from '../contracts/client.ts';

/** Creates an object unless one of its name exists, such as in a saved cluster. */
export async function ensure<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  object: New<T>,
): Promise<void> {
  await client.create(resource, object).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}
