"""Operators that sort and rank: sort, topk, argsort, argmax."""
