import { testLives } from './test-lives.fixture.ts';

testLives({ builtin: 1, owners: 1, custom: 1 });
