import { describe, expect, test } from 'vitest';
import { requestInfo } from './request-info.ts';

const read = (method: string, path: string) => {
  const info = requestInfo(method, new URL(path, 'http://apiserver.test'));
  const { verb, apiGroup, apiVersion, namespace, resource, subresource, name } = info;
  return [verb, apiGroup, apiVersion, namespace, resource, subresource, name].join(' ').trimEnd();
};

// Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/request/requestinfo_test.go
describe('requestInfo', () => {
  test.each([
    ['GET', '/api/v1/namespaces', 'list  v1  namespaces'],
    ['GET', '/api/v1/namespaces/other', 'get  v1 other namespaces  other'],
    ['GET', '/api/v1/namespaces/other/pods', 'list  v1 other pods'],
    ['GET', '/api/v1/namespaces/other/pods/foo', 'get  v1 other pods  foo'],
    ['HEAD', '/api/v1/namespaces/other/pods/foo', 'get  v1 other pods  foo'],
    ['GET', '/api/v1/pods', 'list  v1  pods'],
    ['GET', '/api/v1/namespaces/other/pods/foo/status', 'get  v1 other pods status foo'],
    ['PUT', '/api/v1/namespaces/other/finalize', 'update  v1 other namespaces finalize other'],
    ['PUT', '/api/v1/namespaces/other/status', 'update  v1 other namespaces status other'],
    ['GET', '/api/v1/watch/pods', 'watch  v1  pods'],
    ['GET', '/api/v1/pods?watch=true', 'watch  v1  pods'],
    ['GET', '/api/v1/pods?watch=false', 'list  v1  pods'],
    ['GET', '/api/v1/pods?watch', 'watch  v1  pods'],
    ['GET', '/api/v1/watch/namespaces/other/pods/foo', 'watch  v1 other pods  foo'],
    ['POST', '/api/v1/namespaces/other/pods', 'create  v1 other pods'],
    ['PUT', '/api/v1/namespaces/other/pods/foo', 'update  v1 other pods  foo'],
    ['PATCH', '/api/v1/namespaces/other/pods/foo', 'patch  v1 other pods  foo'],
    ['DELETE', '/api/v1/namespaces/other/pods/foo', 'delete  v1 other pods  foo'],
    ['DELETE', '/api/v1/namespaces/other/pods', 'deletecollection  v1 other pods'],
    [
      'GET',
      '/apis/apps/v1/namespaces/other/deployments/foo/scale',
      'get apps v1 other deployments scale foo',
    ],
    ['GET', '/apis/apps/v1/deployments/', 'list apps v1  deployments'],
    ['GET', '/api/v1/namespaces/a%2Fb', 'list  v1 a b'],
    ['TRACE', '/api/v1/pods', 'v1  pods'],
  ])('reads %s %s', (method, path, expected) => {
    expect(read(method, path).replace(/^ +/, '')).toBe(expected);
  });

  test.each(['/', '/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1', '/healthz', '/logs/a/b/c'])(
    'reads %s as a non-resource request',
    (path) => {
      const info = requestInfo('GET', new URL(path, 'http://apiserver.test'));
      expect([info.isResourceRequest, info.verb, info.path]).toEqual([false, 'get', path]);
    },
  );

  test('leaves invalid escapes unchanged', () => {
    expect(requestInfo('GET', new URL('http://apiserver.test/api/v1/pods/%zz')).path).toBe(
      '/api/v1/pods/%zz',
    );
  });
});
