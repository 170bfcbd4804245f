import { describe, expect, it } from "vitest";
import { pythonOnlyLooks } from "../../../programs/records/python/looks.ts";

const LOOKS = [
  "print(1)",
  'import json,sys; sys.exit(json.load(open("manifest.json"))["version"] != "2.4.0")',
  "import urllib.request as u,os; assert b'2.4.0' in u.urlopen(os.environ['ORCH_TARGET_URL']+'/version').read()",
  "import json, sys\nd = json.load(sys.stdin)\nsys.exit(0 if d['a'] == 2 else 1)",
  "from urllib.request import urlopen\nassert urlopen('http://h/', timeout=2).status == 200",
  "import os, time\nfor _ in range(20):\n    if os.path.exists('/srv/ready'): raise SystemExit(0)\n    time.sleep(1)\nraise SystemExit(1)",
  'with open("a.csv", "r", encoding="utf-8") as f:\n    assert sum(1 for line in f) > 3',
  "import socket; socket.create_connection(('127.0.0.1', 80), 2)",
  'if __name__ == "__main__": print(max(1.5, 2))',
  'd = {\n  "a": 1,\n}\nassert d["a"] == 1',
  'assert open("a", encoding="utf-8").read().replace("a", "b")',
];

const UNKNOWN = [
  "open('x', 'w')",
  "open('x', 'r+')",
  "open(mode='w', file='x')",
  "open(*['x', 'w'])",
  "f = open; f('x', 'w')",
  "import os; os.remove('x')",
  "import os;os . system('x')",
  "import os\\\n.system('x')",
  "import subprocess",
  "from os import system",
  "from os import *",
  "from os import path as p",
  "from urllib.request import urlopen as u; u('http://h', b'1')",
  "from urllib.request import urlopen; urlopen('http://h', b'1')",
  "import urllib.request as u; u.urlopen('http://h', data=b'1')",
  "import urllib.request as u; u.urlopen(u.Request('http://h', method='DELETE'))",
  "import sys; sys.path[0] = '/tmp'; import csv",
  "import sys as os; os.path[0] = '/tmp'",
  "import sys; os = sys; os.path[0] = '/tmp'",
  "import json; json.load(open('x'), object_hook=eval)",
  "().__class__.__base__",
  "1..__class__",
  "1.0.__class__",
  "__import__('os')",
  "f'{__import__(1)}'",
  "getattr(1, 'x')",
  "@x\ndef y(): pass",
  "`x`",
  "import pathlib; pathlib.Path('a').write_text('b')",
  "class A: pass",
  'import os\n(os.\nsystem)("touch x")',
  'import os\n(os. # a comment\nsystem)("touch x")',
  `"""a"b"""; import os; os.system('touch x') #"`,
  'import os as o\nmatch o:\n case object(system=f): f("touch x")',
  "# coding: utf-7\n# +AAo-import os",
  'encoding=1\nopen("x", encoding == 2 or "w")',
  'import urllib.request\ntimeout=1\nurllib.request.urlopen("http://h", timeout == 2 or b"1")',
  'import os\nos.environ["SSLKEYLOGFILE"]="x"',
  "import os\ne = os.environ",
  "from os import environ",
  'import os; os.replace("a", "b")',
  'from pathlib import Path; Path("a").replace("b")',
  'import sys\nT=type("T",(),{"os":sys})',
  "import socket; socket.socket(1, 1).connect('/run/docker.sock')",
  "import evil",
  "x = '",
  "a\u00a0b",
  `print(${"1,".repeat(3000)})`,
];

describe("whether a Python program only looks", () => {
  it.each(LOOKS)("%j only looks", (code) => {
    expect(pythonOnlyLooks(code)).toBe(true);
  });

  it.each(UNKNOWN)("of %j nothing is known", (code) => {
    expect(pythonOnlyLooks(code)).toBe(false);
  });
});
