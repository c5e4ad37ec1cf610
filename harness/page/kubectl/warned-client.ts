import type { KubeObject } from '../../api/objects.ts';
import { groupVersion, type Resource } from '../../api/resource.ts';
import type { Kind } from '../../apiserver/kind.ts';
import { kinds } from '../../apiserver/kinds/index.ts';
import type { Client } from '../../contracts/client.ts';
import type { ApiAnswer, ApiRequest } from '../../contracts/request.ts';
import { RequestClient, sendTo } from '../../contracts/request-client.ts';

/**
 * Returns a client that also passes on the server's warnings, which travel in headers over HTTP. Each warning is passed
 * on once.
 */
export function warnedClient(client: Client, warn: (text: string) => void): Client {
  const send = sendTo(client);
  const known = new Set<string>();
  return new RequestClient(async (request) => {
    const pass = (texts: readonly string[]): void => {
      for (const text of texts) {
        if (!known.has(text)) warn(text);
        known.add(text);
      }
    };
    const { deprecation } = kindOf(request.resource) ?? {};
    if (deprecation) pass([deprecation]);
    const answer = await send(request);
    pass(warningsAbout(request, answer));
    return answer;
  });
}

function warningsAbout({ resource, verb }: ApiRequest, answer: ApiAnswer): readonly string[] {
  const { warningsOnCreate, warningsOnUpdate } = kindOf(resource) ?? {};
  const object = answer as KubeObject;
  return [
    ...((verb === 'create' && warningsOnCreate?.(object)) || []),
    ...(((verb === 'update' || verb === 'patch') && warningsOnUpdate?.(object)) || []),
  ];
}

function kindOf(resource: Resource): Kind | undefined {
  return kinds.find(
    ({ resource: of }) => of.plural === resource.plural && groupVersion(of) === groupVersion(resource),
  );
}
