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
    const answer = await send(request);
    for (const text of warningsAbout(request, answer)) {
      if (!known.has(text)) warn(text);
      known.add(text);
    }
    return answer;
  });
}

function warningsAbout({ resource, verb }: ApiRequest, answer: ApiAnswer): readonly string[] {
  const { deprecation, warningsOnCreate, warningsOnUpdate } = kindOf(resource) ?? {};
  const object = answer as KubeObject;
  return [
    ...(deprecation ? [deprecation] : []),
    ...((verb === 'create' && warningsOnCreate?.(object)) || []),
    ...(((verb === 'update' || verb === 'patch') && warningsOnUpdate?.(object)) || []),
  ];
}

function kindOf(resource: Resource): Kind | undefined {
  return kinds.find(
    ({ resource: of }) => of.plural === resource.plural && groupVersion(of) === groupVersion(resource),
  );
}
