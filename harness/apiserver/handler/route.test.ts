import { describe, expect, test } from 'vitest';
import { podsPath, served } from './served.fixture.ts';

describe('route', () => {
  test.each([
    ['GET', '/api/v1/gadgets', 404],
    ['GET', '/api/v2/pods', 404],
    ['GET', '/apis/apps/v2', 404],
    ['GET', '/apis/apps/v2/deployments', 404],
    ['GET', '/api/v1/pods/a', 404],
    ['GET', '/api/v1/namespaces/default/nodes', 404],
    ['GET', '/api/v1/namespaces/default/namespaces', 404],
    ['GET', '/api/v1/namespaces/default/namespaces/kube-system', 404],
    ['GET', '/api/v1/namespaces/default/namespaces/default', 404],
    ['DELETE', '/api/v1/watch/namespaces/default/namespaces/default', 404],
    ['GET', `${podsPath}/a/scale`, 404],
    ['GET', `${podsPath}/a/status/more`, 404],
    ['POST', '/api/v1/pods', 405],
    ['DELETE', '/api/v1/pods', 405],
    ['DELETE', '/api/v1/namespaces', 405],
    ['PUT', podsPath, 405],
    ['POST', `${podsPath}/a`, 405],
    ['GET', `${podsPath}/a/binding`, 405],
    ['DELETE', `${podsPath}/a/status`, 405],
    ['POST', '/apis', 405],
  ])('rejects %s %s: %i', async (method, path, code) => {
    const { refused } = await served();
    const told = {
      404: [404, 'NotFound', 'the server could not find the requested resource'],
      405: [405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource'],
    }[code];
    expect(await refused(method, path)).toEqual(told);
  });

  test.each(['/nothing', '/apis/gadgets.example.com', '/apis/gadgets.example.com/v1/gadgets'])(
    'has no page %s',
    async (path) => {
      const { send } = await served();
      const response = await send('GET', path);
      expect([response.status, await response.text()]).toEqual([404, '404 page not found\n']);
    },
  );
});
