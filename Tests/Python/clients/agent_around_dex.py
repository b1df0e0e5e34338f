"""Asks the agent of an unlocked key for signatures without dex, though dex seems to ask.

The agent is stopped while one process connects, shares the socket with a child and turns into dex
itself. When the agent goes on and looks who connected, it finds dex; the child asks.

agent_around_dex.py SOCKET DEX QUESTIONS: a JSON list of questions; prints the list of answers, with
null where the agent closed the connection.
"""

import json
import os
import signal
import socket
import struct
import sys


def agent_process(path):
    with socket.socket(socket.AF_UNIX) as probe:
        probe.connect(path)
        peer = probe.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return struct.unpack("3i", peer)[0]


def exchange(connection, question):
    body = json.dumps(question).encode()
    answer = b""
    try:
        connection.sendall(struct.pack(">I", len(body)) + body)
        while chunk := connection.recv(65536):
            answer += chunk
    except OSError:
        pass
    return json.loads(answer[4:]) if len(answer) > 4 else None


def ask(path, dex, question):
    """One question over a connection that a process made which is dex by now."""
    agent = agent_process(path)
    answer_reader, answer_writer = os.pipe()
    os.kill(agent, signal.SIGSTOP)
    shell = os.fork()
    if shell == 0:
        os.close(answer_reader)
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(path)
        # dex waits for what it reads here until the child is gone.
        wait_reader, wait_writer = os.pipe()
        me = os.getpid()
        if os.fork() == 0:
            os.close(wait_reader)
            while not os.path.samefile(f"/proc/{me}/exe", dex):
                pass
            os.kill(agent, signal.SIGCONT)
            answer = exchange(connection, question)
            os.write(answer_writer, json.dumps(answer).encode())
            os._exit(0)
        os.close(wait_writer)
        os.close(answer_writer)
        os.dup2(wait_reader, 0)
        nowhere = os.open("/dev/null", os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os.execv(dex, ["dex", "agent"])
    os.close(answer_writer)
    answer = b""
    while chunk := os.read(answer_reader, 65536):
        answer += chunk
    os.close(answer_reader)
    os.kill(agent, signal.SIGCONT)
    os.waitpid(shell, 0)
    return json.loads(answer)


def main():
    path, dex, questions = sys.argv[1:]
    print(json.dumps([ask(path, dex, question) for question in json.loads(questions)]))


main()
