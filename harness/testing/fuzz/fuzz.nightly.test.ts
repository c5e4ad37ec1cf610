import { testLives } from './test-lives.fixture.ts';

// `npm run fuzz` tries other seeds. It does not compare answers with and without owners.
testLives({ builtin: 20, owners: 20, custom: 5 });
