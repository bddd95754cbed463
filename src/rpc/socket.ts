// One WebSocket connection: a request for each text frame, answered in order, and the events it subscribed to.

import type { Log } from "../log.ts";
import { type Arguments, argumentsFromJson } from "./arguments.ts";
import { type Answer, answerTo, errorObject, parseJson, type Request, readRequest } from "./call.ts";
import type { RpcNode } from "./method.ts";
import { isSubscriptionMethod, type SubscriptionMethod } from "./methods.ts";
import { answerRequest } from "./post.ts";
import type { Subscriber, Subscriptions } from "./subscriptions.ts";

export type SocketParts = {
  readonly node: RpcNode;
  readonly subscriptions: Subscriptions;
  readonly log: Log;
  /** Returns false when the reader of the connection does not keep up. */
  readonly send: (text: string) => boolean;
};

export type Socket = {
  /** One text frame. Returns false when more wait than one connection may have. */
  receive(text: string): boolean;
  close(): void;
};

/** Requests of one connection that may wait for their turn. */
const MOST_WAITING = 100;

export function openSocket({ node, subscriptions, log, send }: SocketParts): Socket {
  const subscriber: Subscriber = { send: (answer) => send(JSON.stringify(answer)) };
  let turn: Promise<void> = Promise.resolve();
  let waiting = 0;
  const answer = async (text: string): Promise<void> => {
    const reply = await answerFrame(text);
    if (reply !== null) subscriber.send(reply);
    waiting -= 1;
  };
  const answerFrame = async (text: string): Promise<Answer | null> => {
    let request: Request;
    try {
      request = readRequest(parseJson(text));
    } catch (error) {
      return answerTo(null, { error: errorObject(error, log) });
    }
    if (request.id === null) return null;
    if (!isSubscriptionMethod(request.method)) return answerRequest(node, request, log);
    try {
      subscribe(request.method, request.id, argumentsFromJson({ query: "string" }, paramsOf(request)));
      return answerTo(request.id, { result: {} });
    } catch (error) {
      return answerTo(request.id, { error: errorObject(error, log) });
    }
  };
  const subscribe = (method: SubscriptionMethod, id: string | number, given: Arguments<{ query: "string" }>): void => {
    if (method === "subscribe") subscriptions.add(subscriber, id, given.query);
    else if (method === "unsubscribe") subscriptions.remove(subscriber, given.query);
    else subscriptions.removeAll(subscriber);
  };
  return {
    receive(text) {
      waiting += 1;
      if (waiting > MOST_WAITING) return false;
      turn = turn.then(() => answer(text)).catch((error) => void errorObject(error, log));
      return true;
    },
    close: () => subscriptions.forget(subscriber),
  };
}

/** `unsubscribe_all` takes no arguments: whatever comes with it is not looked at. */
function paramsOf({ method, params }: Request): unknown {
  return method === "unsubscribe_all" ? undefined : params;
}
